import type { DestinationKind } from './destination-kinds.ts';

/** What is to be done at the other end before the form can be filled in, in the words that stand there. */
export const DESTINATION_STEPS: Readonly<Record<DestinationKind, readonly string[]>> = {
  webhook: [
    'Enter your endpoint’s URL below.',
    'Leave the signing secret empty to generate one. It is shown only once.',
    'Use the secret in your service to verify the Sentry-Hook-Signature header.',
  ],
  slack: [
    'At api.slack.com/apps, choose “Create New App”, “From scratch”, and your workspace.',
    'Open “Incoming Webhooks” and turn it on.',
    'Choose “Add New Webhook to Workspace”, select the channel, and choose “Allow”.',
    'Copy the Webhook URL.',
  ],
  discord: [
    'In the channel, open “Edit Channel”, “Integrations”, “Webhooks”.',
    'Choose “New Webhook” and name it.',
    'Choose “Copy Webhook URL”.',
  ],
  msteams: [
    'In the channel’s “•••” menu, open “Workflows” and choose the template “Send webhook alerts to a channel”.',
    'Sign in, select the team and channel, and choose “Add workflow”.',
    'Copy the URL shown.',
  ],
  pagerduty: [
    'In the service, open “Integrations” and choose “Add an integration”.',
    'Select “Events API V2” and choose “Add”.',
    'Copy the Integration Key.',
  ],
  telegram: [
    'Send /newbot to @BotFather and copy the token it returns.',
    'Add the bot to the group or channel. In a channel, make it an admin with permission to post.',
    'Send a message there, open https://api.telegram.org/bot<token>/getUpdates, and copy chat.id. Group IDs are negative.',
  ],
  mattermost: [
    'In the product menu, open “Integrations”, “Incoming Webhooks”, and choose “Add Incoming Webhook”.',
    'Select the channel and choose “Save”.',
    'Copy the URL. If the server is on your internal network, your Errata administrator must allow it with ERRATA_ALLOW_INSIDE_ADDRESSES.',
  ],
  google_chat: [
    'In the space’s menu, open “Apps & integrations”, “Webhooks”, and choose “Add webhook”.',
    'Name it and choose “Save”.',
    'Copy its link from the “⋮” menu.',
  ],
  ntfy: [
    'Choose a topic that is hard to guess: anyone who knows it can read it.',
    'Subscribe to it in the app or at ntfy.sh/<topic>.',
    'If the topic requires a token, create one under “Account”, “Access tokens”.',
  ],
};
