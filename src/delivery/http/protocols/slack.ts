import { type DestinationProtocol, postJson } from '../destination-protocol.ts';

/** Source: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export const slack: DestinationProtocol = {
  name: 'Slack',
  request: ({ secret }, { body }) => postJson(secret.url ?? '', body),
  explain: ({ body }) => MEANINGS[body.trim()] ?? null,
};

const MEANINGS: Readonly<Record<string, string>> = {
  no_service: 'the webhook was switched off or deleted in Slack: make a new one and save its address here',
  no_team: 'the workspace is gone: make a webhook in another one and save its address here',
  invalid_token: 'the address is not that of a webhook: copy it from Slack once more',
  no_active_hooks: 'the webhook was switched off in Slack: switch it on, or make a new one',
  channel_not_found: 'the channel of the webhook is gone: make a webhook for another one',
  channel_is_archived:
    'the channel of the webhook is archived: unarchive it, or make a webhook for another one',
  action_prohibited: 'an administrator of the workspace forbids it: ask them',
  posting_to_general_channel_denied: 'the webhook may not post to the general channel: choose another one',
  invalid_payload: 'it could not read the message',
  invalid_blocks: 'it could not read the message',
};
