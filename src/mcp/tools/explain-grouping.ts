import { z } from 'zod';
import { fence } from '#product/event-description/event-texts.ts';
import { treeLines } from '#product/grouping/compare-groupings.ts';
import { type EventVariant, explainGrouping } from '#product/grouping/explain-grouping.ts';
import { findIssueEvent } from '#product/issues/issue-events.ts';
import { eventInput, issueInput } from '../inputs.ts';
import { DATA_SENTENCE, fencedFacts, paragraphs } from '../text/answer.ts';
import { defineTool } from '../tool.ts';
import { findIssue } from './find-issue.ts';

const TREE_CHARACTERS_MAX = 10_000;
const LINE_CHARACTERS_MAX = 200;
/** Ways of grouping that are told whole. */
const TREES_MAX = 2;

export const explainGroupingTool = defineTool({
  name: 'explain_grouping',
  title: 'Explain the grouping of an issue',
  description:
    'Why the events of an issue are one issue: which parts of an event are hashed, which are not and why, and which rule or fingerprint decides.',
  right: 'event:read',
  input: z.strictObject({
    issue: issueInput,
    event: eventInput,
  }),
  async run(ctx, { issue: named, event: which }) {
    const { issue, event: ofPage } = await findIssue(ctx, named);
    const event = await findIssueEvent(ctx, issue, which ?? ofPage ?? 'recommended');
    if (!event) return `${issue.shortId} has no such event: see list_issue_events.`;
    const grouping = await explainGrouping(ctx, event);
    if (!grouping) {
      return 'The details of this event were not kept, so how it is grouped cannot be told: choose another one.';
    }
    const variants = Object.values(grouping.variants);
    const counting = variants.filter(({ contributes }) => contributes);
    return paragraphs(
      `# How event \`${event.eventId}\` of ${issue.shortId} is grouped`,
      DATA_SENTENCE,
      fencedFacts([
        ['algorithm', grouping.config],
        ['stored hash', event.groupingHash],
        ['hash by the rules of now', grouping.hashes.join(', ')],
        ['rule that matched', grouping.matchedRule],
        ['title by rule', grouping.title],
        ...variants
          .filter(({ contributes }) => !contributes)
          .map(({ name, hint }) => [`not used: ${name}`, hint ?? 'it does not count'] as const),
      ]),
      ...counting.slice(0, TREES_MAX).map(describeVariant),
    );
  },
});

function describeVariant({ name, hash, fingerprint, tree }: EventVariant): string {
  const lines = tree
    ? treeLines(tree).map(({ depth, label, value, contributes, hint }) =>
        [
          `${contributes ? '+' : '-'} ${'  '.repeat(depth)}${label}`,
          value === null ? '' : `: ${value}`,
          hint === null ? '' : ` (${hint})`,
        ]
          .join('')
          .replace(/\s*\n\s*/g, ' ')
          .slice(0, LINE_CHARACTERS_MAX),
      )
    : [];
  const head = [`hash ${hash ?? 'none'}`, ...(fingerprint ? [`fingerprint ${fingerprint.join(', ')}`] : [])];
  return paragraphs(
    `## Used: ${name.replaceAll('_', ' ')}`,
    '`+` is hashed, `-` is not.',
    fence([...head, ...lines].join('\n'), TREE_CHARACTERS_MAX),
  );
}
