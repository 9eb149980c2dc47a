import type { MessagePart } from '#delivery/ports/destination-sender.ts';
import {
  type AlertMessage,
  CAUSE_LABELS,
  describeLeft,
  type Fact,
  issueFacts,
  issueLine,
  metricFacts,
  metricTitle,
  type Tone,
} from '../alert-message.ts';
import { fitNamed } from './fit-lines.ts';

/**
 * Teams takes about 28 KB, and counts more than what is sent.
 * Source: https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using
 */
const BYTES_MAX = 20_000;

const COLORS: Readonly<Record<Tone, string>> = {
  fatal: 'attention',
  error: 'attention',
  warning: 'warning',
  info: 'accent',
  ok: 'good',
};

type CardElement = Readonly<Record<string, unknown>>;

/**
 * An Adaptive Card. Texts of programs stand in runs of rich text, in which nothing is markup.
 * Source: https://adaptivecards.io/explorer/RichTextBlock.html
 */
export function formatTeams(message: AlertMessage): readonly MessagePart[] {
  return [fitNamed(message, cardOf, ({ body }) => Buffer.byteLength(JSON.stringify(body)) <= BYTES_MAX)];
}

function cardOf(message: AlertMessage): MessagePart {
  const { headline, intro, issues, issuesLeft, metrics, link, rules, tone } = message;
  const isSingle = issues.length + issuesLeft === 1;
  const left = describeLeft(message);
  const body: CardElement[] = [
    richText([{ text: headline, weight: 'bolder', size: 'medium', color: COLORS[tone] }]),
    ...(intro === null ? [] : [richText([{ text: intro }])]),
    ...metrics.flatMap((metric) => [
      richText([{ text: metricTitle(metric), weight: 'bolder', ...opens(metric.url) }]),
      ...metricFacts(metric).map(factBlock),
    ]),
    ...issues.flatMap((entry) => {
      const name = { text: entry.issue.shortId, weight: 'bolder', ...opens(entry.url) };
      if (isSingle)
        return [richText([name, { text: ` ${entry.title}` }]), ...issueFacts(entry).map(factBlock)];
      return [
        richText([name, { text: ` ${CAUSE_LABELS[entry.cause]}: ${entry.title}` }]),
        richText([{ text: issueLine(entry), isSubtle: true, size: 'small' }], 'none'),
      ];
    }),
    ...(left === null ? [] : [richText([{ text: left }])]),
    ...(rules.length === 0
      ? []
      : [
          richText([
            { text: `Alert: ${rules.map(({ name }) => name).join(', ')}`, isSubtle: true, size: 'small' },
          ]),
        ]),
  ];
  return {
    body: {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body,
            actions: [{ type: 'Action.OpenUrl', title: link.label, url: link.url }],
            msteams: { width: 'Full' },
          },
        },
      ],
    },
  };
}

const factBlock = ({ label, text }: Fact): CardElement =>
  richText([{ text: `${label}: `, weight: 'bolder' }, { text }], 'none');

const opens = (url: string) => ({ selectAction: { type: 'Action.OpenUrl', url } });

function richText(runs: readonly CardElement[], spacing = 'small'): CardElement {
  return { type: 'RichTextBlock', spacing, inlines: runs.map((run) => ({ type: 'TextRun', ...run })) };
}
