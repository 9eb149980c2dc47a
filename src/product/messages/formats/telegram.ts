import type { MessagePart } from '#delivery/ports/destination-sender.ts';
import {
  type AlertIssue,
  type AlertMessage,
  CAUSE_LABELS,
  describeLeft,
  type Fact,
  issueLine,
  metricFacts,
  metricTitle,
  namedIssueFacts,
} from '../alert-message.ts';
import { escapeHtml } from '../escape.ts';
import { fitLines, fitNamed } from './fit-lines.ts';

/** Without its tags. Source: https://core.telegram.org/bots/api#sendmessage */
const TEXT_CHARACTERS_MAX = 4_096;

/**
 * Texts of programs stand as code: everywhere else Telegram makes links, commands and calls of names of what looks like
 * one. Source: https://core.telegram.org/bots/api#html-style
 */
export function formatTelegram(message: AlertMessage): readonly MessagePart[] {
  const { link, rules } = message;
  const end = [
    '',
    anchor(link.url, link.label),
    ...(rules.length === 0 ? [] : [`Alert: ${rules.map(({ name, url }) => anchor(url, name)).join(', ')}`]),
  ].join('\n');
  const fits = (html: string) => visibleLength(html) <= TEXT_CHARACTERS_MAX;
  const rows = fitNamed(message, rowsOf, (made) => fits([...made, end].join('\n')));
  const text = fitLines(rows, end, fits);
  return [{ body: { text, parse_mode: 'HTML', link_preview_options: { is_disabled: true } } }];
}

function rowsOf(message: AlertMessage): readonly string[] {
  const { headline, intro, issues, issuesLeft, metrics } = message;
  const [only] = issues;
  const left = describeLeft(message);
  return [
    code(headline),
    ...(intro === null ? [] : [`\n${code(intro)}`]),
    ...metrics.flatMap((metric) => ['', code(metricTitle(metric)), ...metricFacts(metric).map(factRow)]),
    ...(only && issues.length + issuesLeft === 1
      ? ['', ...namedIssueFacts(only).map(factRow)]
      : issues.map(issueRow)),
    ...(left === null ? [] : ['', left]),
  ];
}

const issueRow = (entry: AlertIssue): string =>
  `\n${anchor(entry.url, entry.issue.shortId)} ${CAUSE_LABELS[entry.cause]}\n${code(entry.title)}\n${code(issueLine(entry))}`;

const factRow = ({ label, text }: Fact): string => `${label}: ${code(text)}`;

const code = (text: string): string => `<code>${escapeHtml(text)}</code>`;

const anchor = (url: string, label: string): string =>
  `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`;

/** As Telegram counts: tags are none, an entity is one character. */
const visibleLength = (html: string): number =>
  html.replace(/<\/?(?:code|a)(?: href="[^"]*")?>/g, '').replace(/&(?:amp|lt|gt|quot|#39);/g, '.').length;
