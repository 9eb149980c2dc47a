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
import { escapeMattermost, shorten } from '../escape.ts';
import { fitNamed } from './fit-lines.ts';

/** A post has at most 16,383 characters; longer ones are cut into several. */
const TEXT_CHARACTERS_MAX = 8_000;
const FALLBACK_CHARACTERS_MAX = 500;

const COLORS: Readonly<Record<Tone, string>> = {
  fatal: '#b3123b',
  error: '#d93a2b',
  warning: '#d98e04',
  info: '#2f6fd0',
  ok: '#2e8540',
};

/** Source: https://developers.mattermost.com/integrate/reference/message-attachments/ */
export function formatMattermost(message: AlertMessage): readonly MessagePart[] {
  const { headline, issues, tone } = message;
  const [only] = issues;
  const isSingle = issues.length === 1 && only !== undefined;
  return [
    {
      body: {
        attachments: [
          {
            fallback: shorten(escapeMattermost(headline), FALLBACK_CHARACTERS_MAX),
            color: COLORS[tone],
            text: fitNamed(
              message,
              (fitted) => textOf(fitted, isSingle),
              (text) => text.length <= TEXT_CHARACTERS_MAX,
            ),
            ...(isSingle && {
              fields: namedIssueFacts(only).map(({ label, text }) => ({
                short: text.length < 40,
                title: label,
                value: escapeMattermost(text),
              })),
            }),
          },
        ],
      },
    },
  ];
}

function textOf(message: AlertMessage, isSingle: boolean): string {
  const { headline, intro, issues, metrics, link, rules } = message;
  const left = describeLeft(message);
  const end = [
    `[${link.label}](${link.url})`,
    ...(rules.length === 0
      ? []
      : [`Alert: ${rules.map(({ name, url }) => `[${escapeMattermost(name)}](${url})`).join(', ')}`]),
  ];
  return [
    `**${escapeMattermost(headline)}**`,
    ...(intro === null ? [] : [escapeMattermost(intro)]),
    ...metrics.map((metric) =>
      [
        `**[${escapeMattermost(metricTitle(metric))}](${metric.url})**`,
        ...metricFacts(metric).map(({ label, text }) => `- ${label}: ${escapeMattermost(text)}`),
      ].join('\n'),
    ),
    ...(isSingle ? [] : issues.map(issueRow)),
    ...(left === null ? [] : [left]),
    end.join(' · '),
  ].join('\n\n');
}

const issueRow = (entry: AlertIssue): string =>
  `**[${escapeMattermost(entry.issue.shortId)}](${entry.url})** ${CAUSE_LABELS[entry.cause]}: ${escapeMattermost(entry.title)}\n${escapeMattermost(issueLine(entry))}`;
