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
import { shorten } from '../escape.ts';
import { fitLines, fitNamed } from './fit-lines.ts';

/** A longer message would become a file. Source: https://docs.ntfy.sh/publish/#limitations */
const MESSAGE_BYTES_MAX = 4_096;
const TITLE_CHARACTERS_MAX = 120;

/** 5 is the most urgent: it goes on ringing. */
const PRIORITIES: Readonly<Record<Tone, number>> = { fatal: 5, error: 4, warning: 3, info: 3, ok: 3 };
const TAGS: Readonly<Record<Tone, string>> = {
  fatal: 'rotating_light',
  error: 'rotating_light',
  warning: 'warning',
  info: 'information_source',
  ok: 'white_check_mark',
};

/** Plain text: ntfy reads Markdown only when it is asked to. Source: https://docs.ntfy.sh/publish/#publish-as-json */
export function formatNtfy(message: AlertMessage): readonly MessagePart[] {
  const { headline, link, rules, tone, isTest } = message;
  const names = rules.map(({ name }) => name).join(', ');
  const end = names === '' ? null : `Alert: ${names}`;
  const fits = (text: string) => Buffer.byteLength(text) <= MESSAGE_BYTES_MAX;
  const rows = fitNamed(message, rowsOf, (made) => fits([...made, end ?? ''].join('\n')));
  return [
    {
      body: {
        title: shorten(headline, TITLE_CHARACTERS_MAX),
        message: fitLines(rows, end, fits),
        priority: isTest ? 3 : PRIORITIES[tone],
        tags: [TAGS[tone]],
        click: link.url,
        actions: [{ action: 'view', label: link.label, url: link.url, clear: true }],
      },
    },
  ];
}

function rowsOf(message: AlertMessage): readonly string[] {
  const { intro, issues, issuesLeft, metrics } = message;
  const [only] = issues;
  const left = describeLeft(message);
  return [
    ...(intro === null ? [] : [intro]),
    ...metrics.flatMap((metric) => [metricTitle(metric), ...metricFacts(metric).map(factRow)]),
    ...(only && issues.length + issuesLeft === 1
      ? [`${only.issue.shortId} ${only.title}`, ...issueFacts(only).map(factRow)]
      : issues.map(
          (entry) =>
            `${entry.issue.shortId} ${CAUSE_LABELS[entry.cause]}: ${entry.title} (${issueLine(entry)})`,
        )),
    ...(left === null ? [] : [left]),
  ];
}

const factRow = ({ label, text }: Fact): string => `${label}: ${text}`;
