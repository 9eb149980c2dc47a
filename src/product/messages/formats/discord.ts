import type { MessagePart } from '#delivery/ports/destination-sender.ts';
import {
  type AlertIssue,
  type AlertMessage,
  CAUSE_LABELS,
  describeLeft,
  issueLine,
  metricFacts,
  metricTitle,
  namedIssueFacts,
  type Tone,
} from '../alert-message.ts';
import { escapeDiscord, shorten } from '../escape.ts';
import { fitNamed } from './fit-lines.ts';

/** Source: https://discord.com/developers/docs/resources/message#embed-object-embed-limits */
const TITLE_CHARACTERS_MAX = 256;
const DESCRIPTION_CHARACTERS_MAX = 4_000;
const FIELD_CHARACTERS_MAX = 250;
const FIELDS_MAX = 10;
const FOOTER_CHARACTERS_MAX = 300;

const COLORS: Readonly<Record<Tone, number>> = {
  fatal: 0xb3123b,
  error: 0xd93a2b,
  warning: 0xd98e04,
  info: 0x2f6fd0,
  ok: 0x2e8540,
};

/** One embed; nobody is called, whatever the texts say. */
export function formatDiscord(message: AlertMessage): readonly MessagePart[] {
  const { headline, issues, metrics, link, rules, tone, at } = message;
  const [only] = issues;
  const isSingle = issues.length === 1 && only !== undefined && metrics.length === 0;
  const description = fitNamed(
    message,
    (fitted) => describe(fitted, isSingle),
    (text) => text.length <= DESCRIPTION_CHARACTERS_MAX,
  );
  const names = rules.map(({ name }) => name).join(', ');
  return [
    {
      body: {
        embeds: [
          {
            title: shorten(escapeDiscord(headline), TITLE_CHARACTERS_MAX),
            url: link.url,
            color: COLORS[tone],
            timestamp: new Date(at).toISOString(),
            ...(description !== '' && { description }),
            ...(isSingle && {
              fields: namedIssueFacts(only)
                .slice(0, FIELDS_MAX)
                .map(({ label, text }) => ({
                  name: label,
                  value: escapeDiscord(shorten(text, FIELD_CHARACTERS_MAX)),
                  inline: text.length < 40,
                })),
            }),
            ...(names !== '' && { footer: { text: shorten(`Alert: ${names}`, FOOTER_CHARACTERS_MAX) } }),
          },
        ],
        allowed_mentions: { parse: [] },
      },
    },
  ];
}

function describe(message: AlertMessage, isSingle: boolean): string {
  const { intro, issues, metrics } = message;
  const left = describeLeft(message);
  return [
    ...(intro === null ? [] : [escapeDiscord(intro)]),
    ...metrics.map((metric) =>
      [
        `**[${escapeDiscord(metricTitle(metric))}](${metric.url})**`,
        ...metricFacts(metric).map(
          ({ label, text }) => `${label}: ${escapeDiscord(shorten(text, FIELD_CHARACTERS_MAX))}`,
        ),
      ].join('\n'),
    ),
    ...(isSingle ? [] : issues.map(issueRow)),
    ...(left === null ? [] : [left]),
  ].join('\n\n');
}

const issueRow = (entry: AlertIssue): string =>
  `**[${escapeDiscord(entry.issue.shortId)}](${entry.url})** ${CAUSE_LABELS[entry.cause]}: ${escapeDiscord(entry.title)}\n${escapeDiscord(issueLine(entry))}`;
