import { z } from 'zod';
import { type ExplainedFrame, explainSourceMaps } from '#product/artifacts/explain-source-maps.ts';
import { fence } from '#product/event-description/event-texts.ts';
import { functionOf, positionOf } from '#product/events/frame-names.ts';
import { treeLines } from '#product/grouping/compare-groupings.ts';
import { type EventVariant, explainGrouping } from '#product/grouping/explain-grouping.ts';
import { summarizeGrouping } from '#product/grouping/summarize-grouping.ts';
import { eventInput, issueInput, projectInput } from '../inputs.ts';
import { DATA_SENTENCE, fencedFacts, fencedRows, paragraphs } from '../text/answer.ts';
import { defineTool, type ToolHost } from '../tool.ts';
import { findEvent, findIssueWithEvent } from './find-named.ts';

const TREE_CHARACTERS_MAX = 10_000;
const LINE_CHARACTERS_MAX = 200;
/** Grouping variants shown in full. */
const TREES_MAX = 2;

export const explainGroupingTool = defineTool({
  name: 'explain_grouping',
  title: 'Explain the grouping of an issue',
  description:
    'Explains why events are grouped into an issue: which parts of an event are hashed, which are not and why, and which rule or fingerprint decides.',
  right: 'event:read',
  input: z.strictObject({
    issue: issueInput,
    event: eventInput,
  }),
  async run(ctx, input) {
    const { issue, event } = await findIssueWithEvent(ctx, input);
    if (!event) return `${issue.shortId} has no such event: see list_issue_events.`;
    const grouping = await explainGrouping(ctx, event);
    if (!grouping) {
      return 'The details of this event were not kept, so its grouping cannot be explained: choose another event.';
    }
    const variants = Object.values(grouping.variants);
    const counting = variants.filter(({ contributes }) => contributes);
    return paragraphs(
      `# How event \`${event.eventId}\` of ${issue.shortId} is grouped`,
      DATA_SENTENCE,
      fencedFacts([
        ['in short', summarizeGrouping(grouping)],
        ['algorithm', grouping.config],
        ['stored hash', event.groupingHash],
        ['hash by the current rules', grouping.hashes.join(', ')],
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

const FRAMES_SHOWN = 40;

export const explainSourceMapsTool = defineTool({
  name: 'explain_source_maps',
  title: 'Explain missing source',
  description:
    'For each call in a JavaScript event (or one obfuscated by ProGuard): whether its source is shown, and if not, exactly why and what to do about it, based on what was uploaded when the event arrived and what is uploaded now.',
  right: 'event:read',
  input: z.strictObject({
    event: z.string().min(1).max(40).describe('Event ID: 32 hexadecimal digits.'),
    project: projectInput,
  }),
  async run(ctx, { event: eventId, project }, host) {
    const { event, projectSlug } = await findEvent(ctx, { event: eventId, project });
    const explained = await explainSourceMaps(ctx, { projectSlug, eventId: event.eventId });
    const frames = explained.exceptions.flatMap((exception) => exception.frames.toReversed());
    const problems = frames.filter(({ problem, isSymbolicated, now }) => {
      return problem !== null || (!isSymbolicated && now?.kind === 'absent');
    });
    return paragraphs(
      `# Source of event \`${event.eventId}\` of project \`${projectSlug}\``,
      DATA_SENTENCE,
      fencedFacts([
        ['release', explained.release ?? 'none'],
        ['dist', explained.dist ?? 'none'],
        ['debug ids', explained.hasDebugIds ? 'yes' : 'none'],
        ['calls', String(frames.length)],
        ['with source', String(frames.filter(({ isSymbolicated }) => isSymbolicated).length)],
        ['with a problem', String(problems.length)],
      ]),
      problems.length > 0 &&
        paragraphs(
          '## Calls with a problem, newest first',
          fencedRows(problems.slice(0, FRAMES_SHOWN).map((frame) => frameRow(frame, host))),
        ),
      problems.length > FRAMES_SHOWN && `${problems.length - FRAMES_SHOWN} more have one of these reasons.`,
    );
  },
});

function frameRow({ frame, problem, now }: ExplainedFrame, host: ToolHost): string {
  const cause = now?.kind === 'absent' ? now.problem : problem;
  const words = cause && host.describeSourceProblem(cause);
  const after =
    now?.kind === 'located' && problem
      ? `${now.file} has since been uploaded for it (${now.foundBy}): apply uploads to stored events on the release page.`
      : (words?.next ?? '');
  return `${functionOf(frame)} ${positionOf(frame)} | ${words?.what ?? ''} ${after}`;
}
