import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { DestinationKind } from '#product/destinations/destination-kinds.ts';
import type { Answer, ReceivedMessage } from './fake-services.ts';

type Message = Omit<ReceivedMessage, 'problems' | 'atMs'>;
type Service = {
  /** What of the documentation the message breaks. */
  check: (message: Message) => readonly string[];
  /** What the service answers when all is right. */
  success: Answer;
  /** What a destination of it is set to, at a server. */
  fields: (url: string) => Readonly<Record<string, string>>;
};

const text = (max: number) => z.string().min(1).max(max);
const url = z.url({ protocol: /^https?$/ }).max(3_000);
const shaped =
  (schema: z.ZodType) =>
  ({ body }: Message): readonly string[] => {
    const parsed = schema.safeParse(body);
    return parsed.success
      ? []
      : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  };
const atPath =
  (path: string) =>
  (message: Message): readonly string[] =>
    message.path === path ? [] : [`${message.path} is not ${path}`];
const all =
  (...checks: readonly ((message: Message) => readonly string[])[]) =>
  (message: Message): readonly string[] =>
    checks.flatMap((check) => check(message));

export const SIGNING_SECRET = 'a-signing-secret-of-tests';
const ROUTING_KEY = 'R0123456789abcdefghijklmnopqrstu';
const BOT_TOKEN = '123456789:AAbbccddeeffgghhiijjkkllmmnnooppqq';

/** https://docs.sentry.io/organization/integrations/integration-platform/webhooks/ */
const sentryEvent = z.looseObject({
  title: z.string(),
  culprit: z.string(),
  level: z.string(),
  platform: z.string(),
  project: z.number(),
  issue_id: z.string().regex(/^\d+$/),
  issue_url: url,
  web_url: url,
  datetime: z.iso.datetime(),
  timestamp: z.number(),
  tags: z.array(z.tuple([z.string(), z.string()])),
  metadata: z.looseObject({}),
});
const envelope = {
  installation: z.object({ uuid: z.guid() }),
  actor: z.object({ type: z.literal('application'), id: z.string(), name: z.string() }),
};
const eventAlert = z.object({
  ...envelope,
  action: z.literal('triggered'),
  data: z.looseObject({
    event: sentryEvent,
    triggered_rule: z.string().min(1),
    issue_alert: z.object({ title: z.string(), settings: z.array(z.unknown()) }),
  }),
});
const metricAlert = z.object({
  ...envelope,
  action: z.enum(['critical', 'warning', 'resolved']),
  data: z.looseObject({
    metric_alert: z.looseObject({
      id: z.string(),
      identifier: z.string(),
      organization_id: z.string(),
      projects: z.array(z.string()),
      status: z.number(),
      title: z.string(),
      alert_rule: z.strictObject({
        id: z.string(),
        name: z.string(),
        organization_id: z.string(),
        projects: z.array(z.string()),
        include_all_projects: z.boolean(),
        aggregate: z.string(),
        dataset: z.string(),
        query: z.string(),
        environment: z.string().nullable(),
        time_window: z.number(),
        resolution: z.number(),
        threshold_period: z.number(),
        detection_type: z.literal('percent').optional(),
        comparison_delta: z.number().optional(),
        threshold_type: z.literal([0, 1]),
        resolve_threshold: z.number().nullable(),
        status: z.number(),
        created_by: z.null(),
        date_created: z.iso.datetime(),
        date_modified: z.iso.datetime(),
        triggers: z
          .array(
            z.looseObject({
              label: z.enum(['critical', 'warning']),
              alert_threshold: z.number(),
              actions: z.array(z.unknown()),
            }),
          )
          .min(1),
      }),
    }),
    description_text: z.string(),
    description_title: z.string(),
    web_url: url,
  }),
});

function checkWebhook(message: Message): readonly string[] {
  const { headers } = message;
  const problems: string[] = [];
  const resource = headers['sentry-hook-resource'];
  const signature = createHmac('sha256', SIGNING_SECRET).update(message.text).digest('hex');
  if (headers['sentry-hook-signature'] !== signature) problems.push('the signature is wrong');
  if (!/^\d{10}$/.test(String(headers['sentry-hook-timestamp']))) problems.push('the time is wrong');
  if (!/^[0-9a-f-]{36}/.test(String(headers['request-id']))) problems.push('the request has no id');
  if (resource === 'event_alert') return [...problems, ...shaped(eventAlert)(message)];
  if (resource === 'metric_alert') return [...problems, ...shaped(metricAlert)(message)];
  return [...problems, `no such resource: ${resource}`];
}

/** https://docs.slack.dev/reference/block-kit/blocks */
const slackElement = z.union([
  z.strictObject({
    type: z.literal('text'),
    text: text(3_000),
    style: z.object({ bold: z.literal(true) }).optional(),
  }),
  z.strictObject({
    type: z.literal('link'),
    url,
    text: text(3_000),
    style: z.object({ bold: z.literal(true) }).optional(),
  }),
]);
/** What Slack was seen to refuse: https://github.com/slackapi/bolt-js/issues/2509 */
const SLACK_BLOCKS_MAX = 13_000;
const slackMessage = z.strictObject({
  text: text(4_000).refine((value) => !/<(?!https?:)/.test(value), 'holds a mention'),
  blocks: z
    .array(
      z.discriminatedUnion('type', [
        z.strictObject({
          type: z.literal('header'),
          text: z.strictObject({ type: z.literal('plain_text'), text: text(150), emoji: z.boolean() }),
        }),
        z.strictObject({
          type: z.literal('rich_text'),
          elements: z.array(
            z.strictObject({ type: z.literal('rich_text_section'), elements: z.array(slackElement).min(1) }),
          ),
        }),
      ]),
    )
    .min(1)
    .max(50)
    .refine((blocks) => JSON.stringify(blocks).length <= SLACK_BLOCKS_MAX, 'msg_blocks_too_long'),
  unfurl_links: z.boolean(),
  unfurl_media: z.boolean(),
});

/** https://discord.com/developers/docs/resources/message#embed-object-embed-limits */
const discordEmbed = z.strictObject({
  title: text(256),
  url,
  color: z.int().min(0).max(0xffffff),
  timestamp: z.iso.datetime(),
  description: text(4_096).optional(),
  fields: z
    .array(z.strictObject({ name: text(256), value: text(1_024), inline: z.boolean() }))
    .max(25)
    .optional(),
  footer: z.strictObject({ text: text(2_048) }).optional(),
});
const discordMessage = z
  .strictObject({
    embeds: z.array(discordEmbed).min(1).max(10),
    allowed_mentions: z.strictObject({ parse: z.tuple([]) }),
  })
  .refine(
    ({ embeds }) =>
      embeds.reduce(
        (sum, { title, description = '', fields = [], footer }) =>
          sum +
          title.length +
          description.length +
          (footer?.text.length ?? 0) +
          fields.reduce((length, { name, value }) => length + name.length + value.length, 0),
        0,
      ) <= 6_000,
    'more than 6,000 characters',
  );

/** https://adaptivecards.io/explorer/ */
const openUrl = z.strictObject({ type: z.literal('Action.OpenUrl'), url, title: z.string().optional() });
const teamsMessage = z.strictObject({
  type: z.literal('message'),
  attachments: z
    .array(
      z.strictObject({
        contentType: z.literal('application/vnd.microsoft.card.adaptive'),
        contentUrl: z.null(),
        content: z.looseObject({
          type: z.literal('AdaptiveCard'),
          version: z.literal('1.4'),
          body: z
            .array(
              z.looseObject({
                type: z.literal('RichTextBlock'),
                inlines: z
                  .array(
                    z.looseObject({
                      type: z.literal('TextRun'),
                      text: z.string().min(1),
                      selectAction: openUrl.optional(),
                    }),
                  )
                  .min(1),
              }),
            )
            .min(1),
          actions: z.array(openUrl).max(6),
        }),
      }),
    )
    .length(1),
});

/** https://developer.pagerduty.com/docs/send-alert-event */
const pagerDutyTrigger = z.strictObject({
  routing_key: z.literal(ROUTING_KEY),
  event_action: z.enum(['trigger', 'acknowledge', 'resolve']),
  dedup_key: text(255),
  client: z.string(),
  client_url: url,
  links: z.array(z.strictObject({ href: url, text: z.string() })),
  payload: z.strictObject({
    summary: text(1_024),
    source: z.string().min(1),
    severity: z.enum(['critical', 'error', 'warning', 'info']),
    timestamp: z.iso.datetime(),
    component: z.string(),
    custom_details: z.record(z.string(), z.string()),
  }),
});
const pagerDutyEvent = z.union([
  pagerDutyTrigger,
  z.strictObject({
    routing_key: z.literal(ROUTING_KEY),
    event_action: z.literal('resolve'),
    dedup_key: text(255),
  }),
]);

const TELEGRAM_TAGS = /<(\/?)(code|a)( href="https?:\/\/[^"<>]*")?>/g;
/** https://core.telegram.org/bots/api#sendmessage */
const telegramMessage = z.strictObject({
  chat_id: z.literal('-1001234567890'),
  text: z.string().refine((html) => {
    const plain = html.replace(TELEGRAM_TAGS, '');
    if (/[<>]/.test(plain) || /&(?!(amp|lt|gt|quot|#39);)/.test(plain)) return false;
    const length = plain.replace(/&[a-z#0-9]+;/g, '.').length;
    return length >= 1 && length <= 4_096 && isNested(html);
  }, 'is not the HTML that Telegram knows, or too long'),
  parse_mode: z.literal('HTML'),
  link_preview_options: z.strictObject({ is_disabled: z.literal(true) }),
});

function isNested(html: string): boolean {
  const open: string[] = [];
  for (const [, slash, tag = ''] of html.matchAll(TELEGRAM_TAGS)) {
    if (slash === '') open.push(tag);
    else if (open.pop() !== tag) return false;
    // Nothing may stand within code.
    if (open.length > 1) return false;
  }
  return open.length === 0;
}

/** https://developers.mattermost.com/integrate/reference/message-attachments/ */
const mattermostMessage = z.strictObject({
  channel: z.string().optional(),
  attachments: z
    .array(
      z.strictObject({
        fallback: z.string().min(1),
        color: z.string().regex(/^#[0-9a-f]{6}$/),
        text: text(16_383),
        fields: z
          .array(z.strictObject({ short: z.boolean(), title: z.string(), value: z.string() }))
          .optional(),
      }),
    )
    .length(1),
});

/** https://developers.google.com/workspace/chat/api/reference/rest/v1/cards */
const widget = z.union([
  z.strictObject({ textParagraph: z.strictObject({ text: z.string().min(1) }) }),
  z.strictObject({
    decoratedText: z.strictObject({ topLabel: z.string(), text: z.string().min(1), wrapText: z.boolean() }),
  }),
  z.strictObject({
    buttonList: z.strictObject({
      buttons: z
        .array(
          z.strictObject({
            text: z.string().min(1),
            onClick: z.strictObject({ openLink: z.strictObject({ url }) }),
          }),
        )
        .min(1),
    }),
  }),
]);
const googleChatMessage = z.strictObject({
  cardsV2: z
    .array(
      z.strictObject({
        cardId: z.string(),
        card: z.strictObject({
          header: z.strictObject({ title: z.string().min(1), subtitle: z.string() }),
          sections: z
            .array(z.strictObject({ widgets: z.array(widget).min(1) }))
            .min(1)
            .refine(
              (sections) => sections.flatMap(({ widgets }) => widgets).length <= 100,
              'too many widgets',
            ),
        }),
      }),
    )
    .length(1),
});

/** https://docs.ntfy.sh/publish/#publish-as-json */
const ntfyMessage = z.strictObject({
  topic: z.literal('errata-alerts'),
  title: text(250),
  message: z
    .string()
    .min(1)
    .refine((value) => Buffer.byteLength(value) <= 4_096, 'more than 4,096 bytes'),
  priority: z.int().min(1).max(5),
  tags: z.array(z.string()),
  click: url,
  actions: z
    .array(z.strictObject({ action: z.literal('view'), label: z.string(), url, clear: z.boolean() }))
    .max(3),
});

const bytesMax =
  (bytes: number) =>
  (message: Message): readonly string[] =>
    Buffer.byteLength(message.text) > bytes ? [`more than ${bytes} bytes`] : [];

/** Each service, as its documentation describes it. */
export const SERVICES: Readonly<Record<DestinationKind, Service>> = {
  webhook: {
    check: all(atPath('/hook'), checkWebhook),
    success: { status: 200 },
    fields: (base) => ({ url: `${base}/hook`, signingSecret: SIGNING_SECRET }),
  },
  slack: {
    check: all(atPath('/services/T0/B0/x'), shaped(slackMessage)),
    success: { status: 200, body: 'ok' },
    fields: (base) => ({ url: `${base}/services/T0/B0/x` }),
  },
  discord: {
    check: all(atPath('/api/webhooks/1/x?wait=true'), shaped(discordMessage)),
    success: { status: 200, body: '{"id":"1"}' },
    fields: (base) => ({ url: `${base}/api/webhooks/1/x` }),
  },
  msteams: {
    check: all(
      atPath('/workflows/x/triggers/manual/paths/invoke?sig=y'),
      shaped(teamsMessage),
      bytesMax(28 * 1_024),
    ),
    success: { status: 202 },
    fields: (base) => ({ url: `${base}/workflows/x/triggers/manual/paths/invoke?sig=y` }),
  },
  pagerduty: {
    check: all(atPath('/v2/enqueue'), shaped(pagerDutyEvent), bytesMax(512 * 1_024)),
    success: { status: 202, body: '{"status":"success","message":"Event processed"}' },
    fields: (base) => ({ routingKey: ROUTING_KEY, server: base }),
  },
  telegram: {
    check: all(atPath(`/bot${BOT_TOKEN}/sendMessage`), shaped(telegramMessage)),
    success: { status: 200, body: '{"ok":true,"result":{"message_id":1}}' },
    fields: (base) => ({ botToken: BOT_TOKEN, chatId: '-1001234567890', server: base }),
  },
  mattermost: {
    check: all(atPath('/hooks/x'), shaped(mattermostMessage)),
    success: { status: 200, body: 'ok' },
    fields: (base) => ({ url: `${base}/hooks/x` }),
  },
  google_chat: {
    check: all(atPath('/v1/spaces/A/messages?key=k&token=t'), shaped(googleChatMessage), bytesMax(32_000)),
    success: { status: 200, body: '{"name":"spaces/A/messages/1"}' },
    fields: (base) => ({ url: `${base}/v1/spaces/A/messages?key=k&token=t` }),
  },
  ntfy: {
    check: all(atPath('/'), shaped(ntfyMessage), ({ headers }) =>
      headers.authorization === 'Bearer tk_x' ? [] : ['no token'],
    ),
    success: { status: 200, body: '{"id":"x"}' },
    fields: (base) => ({ topic: 'errata-alerts', token: 'tk_x', server: base }),
  },
};
