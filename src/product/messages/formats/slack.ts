import type { MessagePart } from '#delivery/ports/destination-sender.ts';
import {
  type AlertIssue,
  type AlertMessage,
  type AlertMetric,
  CAUSE_LABELS,
  describeLeft,
  type Fact,
  issueFacts,
  issueLine,
  metricFacts,
  metricTitle,
} from '../alert-message.ts';
import { escapeSlack, shorten } from '../escape.ts';
import { fitNamed } from './fit-lines.ts';

/** Source: https://docs.slack.dev/reference/block-kit/blocks */
const HEADER_CHARACTERS_MAX = 150;
const FALLBACK_CHARACTERS_MAX = 3_000;
/**
 * All blocks together, as JSON. Slack refuses blocks of more than about 13,000 characters, and counts more than their texts;
 * it documents neither. Source: https://github.com/slackapi/bolt-js/issues/2509
 */
const BLOCKS_CHARACTERS_MAX = 12_000;

type Element =
  | { type: 'text'; text: string; style?: { bold: true } }
  | { type: 'link'; url: string; text: string; style?: { bold: true } };

type Block = Readonly<Record<string, unknown>>;

/**
 * Rich text, in which nothing is markup: names and titles stand there as they are, and nobody is called by them.
 * Source: https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
 */
export function formatSlack(message: AlertMessage): readonly MessagePart[] {
  return [
    {
      body: {
        // What notifications show, and programs that know no blocks.
        text: shorten(escapeSlack(message.headline), FALLBACK_CHARACTERS_MAX),
        blocks: fitNamed(message, blocksOf, isShortEnough),
        unfurl_links: false,
        unfurl_media: false,
      },
    },
  ];
}

const isShortEnough = (blocks: readonly Block[]): boolean =>
  JSON.stringify(blocks).length <= BLOCKS_CHARACTERS_MAX;

function blocksOf(message: AlertMessage): readonly Block[] {
  const { headline, intro, issues, issuesLeft, metrics, link, rules } = message;
  const isSingle = issues.length + issuesLeft === 1;
  const left = describeLeft(message);
  return [
    {
      type: 'header',
      text: { type: 'plain_text', text: shorten(headline, HEADER_CHARACTERS_MAX), emoji: false },
    },
    ...(intro === null ? [] : [lines([[text(intro)]])]),
    ...metrics.map(metricBlock),
    ...issues.map((entry) => (isSingle ? issueBlock(entry) : listedBlock(entry))),
    ...(left === null ? [] : [lines([[text(left)]])]),
    lines([
      [linkTo(link.url, link.label)],
      ...rules.map(({ name, url }) => [text('Triggered by the alert '), linkTo(url, name)]),
    ]),
  ];
}

const issueBlock = (entry: AlertIssue): Block =>
  lines([
    [bold(linkTo(entry.url, entry.issue.shortId)), text(` ${entry.title}`)],
    ...issueFacts(entry).map(factLine),
  ]);

const listedBlock = (entry: AlertIssue): Block =>
  lines([
    [bold(linkTo(entry.url, entry.issue.shortId)), text(` ${CAUSE_LABELS[entry.cause]}: ${entry.title}`)],
    [text(issueLine(entry))],
  ]);

const metricBlock = (metric: AlertMetric): Block =>
  lines([[bold(linkTo(metric.url, metricTitle(metric)))], ...metricFacts(metric).map(factLine)]);

const factLine = ({ label, text: value }: Fact): readonly Element[] => [
  bold(text(`${label}: `)),
  text(value),
];

function lines(rows: readonly (readonly Element[])[]): Block {
  const elements = rows.flatMap((row, index) => (index === 0 ? row : [text('\n'), ...row]));
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] };
}

const text = (value: string): Element => ({ type: 'text', text: value });
const linkTo = (url: string, label: string): Element => ({ type: 'link', url, text: label });
const bold = (element: Element): Element => ({ ...element, style: { bold: true } });
