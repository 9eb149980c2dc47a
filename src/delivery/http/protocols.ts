import { createHmac } from 'node:crypto';
import { parseBoundedJson } from '#lib/bounded-json.ts';
import type { MessagePart, SendJob } from '../ports/destination-sender.ts';

export type DestinationRequest = {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
};

export type DestinationAnswer = {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Its beginning. */
  body: string;
};

/** How one service is spoken to. */
export type DestinationProtocol = {
  /** As people know it. */
  name: string;
  /** `index` counts the parts of the message; `nowMs` is when this try is made. */
  request(job: Omit<SendJob, 'parts'>, part: MessagePart, index: number, nowMs: number): DestinationRequest;
  /** What the service says in its answer, for people; null when it says nothing that they need. */
  explain?(answer: DestinationAnswer): string | null;
  /** How long to wait, where that does not stand in `Retry-After`; null when it is not said. */
  waitMs?(answer: DestinationAnswer): number | null;
};

function postJson(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): DestinationRequest {
  return { url, headers, body: JSON.stringify(body) };
}

/** A part of an answer in JSON; undefined when it has no such part. */
function jsonField(text: string, ...path: readonly string[]): unknown {
  let value: unknown;
  try {
    value = parseBoundedJson(text);
  } catch {
    return undefined;
  }
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

const secondsToMs = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.ceil(value * 1_000) : null;

/**
 * As Sentry's webhooks are signed and named, so that what reads those reads ours: the signature is the HMAC-SHA256 of the
 * body, in hexadecimal. Source: https://docs.sentry.io/organization/integrations/integration-platform/webhooks/
 */
export const webhook: DestinationProtocol = {
  name: 'The webhook',
  request({ secret, deliveryId }, { body, resource = 'event_alert' }, index, nowMs) {
    const text = JSON.stringify(body);
    return {
      url: secret.url ?? '',
      body: text,
      headers: {
        // The first part has the id itself: nearly every message has only one.
        'request-id': index === 0 ? deliveryId : `${deliveryId}.${index + 1}`,
        'sentry-hook-resource': resource,
        'sentry-hook-timestamp': String(Math.floor(nowMs / 1_000)),
        'sentry-hook-signature': createHmac('sha256', secret.signingSecret ?? '')
          .update(text)
          .digest('hex'),
      },
    };
  },
};

/** Source: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export const slack: DestinationProtocol = {
  name: 'Slack',
  request: ({ secret }, { body }) => postJson(secret.url ?? '', body),
  explain: ({ body }) => MEANINGS[body.trim()] ?? null,
};

const MEANINGS: Readonly<Record<string, string>> = {
  no_service: 'the webhook was disabled or deleted in Slack: create a new one and save its URL here',
  no_team: 'the workspace no longer exists: create a webhook in another workspace and save its URL here',
  invalid_token: 'the URL is not a webhook URL: copy it from Slack again',
  no_active_hooks: 'the webhook is disabled in Slack: enable it or create a new one',
  channel_not_found: "the webhook's channel no longer exists: create a webhook for another channel",
  channel_is_archived:
    "the webhook's channel is archived: unarchive it, or create a webhook for another channel",
  action_prohibited: 'a workspace admin has restricted posting: ask an admin',
  posting_to_general_channel_denied: 'the webhook cannot post to the general channel: choose another channel',
  invalid_payload: 'it could not parse the message',
  invalid_blocks: 'it could not parse the message',
};

/** Source: https://discord.com/developers/docs/resources/webhook#execute-webhook */
export const discord: DestinationProtocol = {
  name: 'Discord',
  request({ secret }, { body }) {
    const url = new URL(secret.url ?? '');
    // Without it Discord answers before it knows whether the message is right.
    url.searchParams.set('wait', 'true');
    return postJson(url.href, body);
  },
  explain: ({ body }) => textOrNull(jsonField(body, 'message')),
  waitMs: ({ body }) => secondsToMs(jsonField(body, 'retry_after')),
};

/** Source: https://learn.microsoft.com/connectors/teams/#microsoft-teams-webhook */
export const msteams: DestinationProtocol = {
  name: 'Microsoft Teams',
  request: ({ secret }, { body }) => postJson(secret.url ?? '', body),
  explain: ({ body }) => textOrNull(jsonField(body, 'error', 'message')),
};

/** Source: https://developer.pagerduty.com/docs/send-alert-event */
export const pagerduty: DestinationProtocol = {
  name: 'PagerDuty',
  request: ({ config, secret }, { body }) =>
    postJson(new URL('/v2/enqueue', config.server).href, { routing_key: secret.routingKey, ...body }),
  explain({ body }) {
    const errors = jsonField(body, 'errors');
    if (Array.isArray(errors))
      return textOrNull(errors.filter((each) => typeof each === 'string').join('; '));
    return textOrNull(jsonField(body, 'message'));
  },
};

/** Source: https://core.telegram.org/bots/api#sendmessage */
export const telegram: DestinationProtocol = {
  name: 'Telegram',
  request: ({ config, secret }, { body }) =>
    postJson(new URL(`/bot${secret.botToken}/sendMessage`, config.server).href, {
      chat_id: config.chatId,
      ...(config.topicId && { message_thread_id: Number(config.topicId) }),
      ...body,
    }),
  explain: ({ body }) => textOrNull(jsonField(body, 'description')),
  waitMs: ({ body }) => secondsToMs(jsonField(body, 'parameters', 'retry_after')),
};

/** Source: https://developers.mattermost.com/integrate/webhooks/incoming/ */
export const mattermost: DestinationProtocol = {
  name: 'Mattermost',
  request: ({ config, secret }, { body }) =>
    postJson(secret.url ?? '', { ...(config.channel && { channel: config.channel }), ...body }),
  explain: ({ body }) => textOrNull(jsonField(body, 'message')),
};

/** Source: https://developers.google.com/workspace/chat/quickstart/webhooks */
export const googleChat: DestinationProtocol = {
  name: 'Google Chat',
  request: ({ secret }, { body }) => postJson(secret.url ?? '', body),
  explain: ({ body }) => textOrNull(jsonField(body, 'error', 'message')),
};

/** Source: https://docs.ntfy.sh/publish/#publish-as-json */
export const ntfy: DestinationProtocol = {
  name: 'ntfy',
  request: ({ config, secret }, { body }) =>
    postJson(
      new URL('/', config.server).href,
      { topic: secret.topic, ...body },
      secret.token ? { authorization: `Bearer ${secret.token}` } : {},
    ),
  explain: ({ body }) => textOrNull(jsonField(body, 'error')),
};
