import type { Issue } from '#domain/issues/issue.ts';
import { compileGroupingRules } from '#pipeline/grouping/compile-grouping-rules.ts';
import { groupEvent } from '#pipeline/grouping/group-event.ts';
import type { GroupingRules } from '#pipeline/grouping/grouping-types.ts';
import type { Context } from '#product/context.ts';
import { findEventsOfIssue } from '#product/issues/issue-events.ts';
import { requireRight } from '#product/permissions.ts';
import { eventScope } from '#product/visible-projects.ts';

/** Issues whose titles are compared, those of them whose newest events are, and those that are shown. */
const BOUNDS = { titles: 2_000, events: 24, shown: 10 } as const;
const AT_ONCE_MAX = 6;

/**
 * An issue is similar when at least this share of its message or of its stack trace is the same. What two issues of one
 * project share by chance (the type, words such as "cannot read", a common caller) stays below half of either.
 */
export const SIMILARITY_MIN = 0.5;

export type SimilarIssue = {
  issue: Issue;
  /** From 0 to 1: words of title, type and place that both have. */
  title: number;
  /** From 0 to 1: hashed values that the newest events of both have; null where one has no body. */
  grouping: number | null;
};

/** Other issues of the project that may be the same problem, best match first, among those that were seen last. */
export async function listSimilarIssues(ctx: Context, issue: Issue): Promise<readonly SimilarIssue[]> {
  requireRight(ctx, 'event:read');
  const { regroups, groupingRules, issues } = ctx.stores;
  const organizationId = ctx.organization.id;
  const [texts, active] = await Promise.all([
    regroups.listRecentTexts(organizationId, issue.projectId, issue.id, BOUNDS.titles),
    groupingRules.findActive(organizationId, issue.projectId),
  ]);
  const { rules } = compileGroupingRules(active);
  const own = wordsOf(`${issue.metadata.type ?? ''} ${issue.title} ${issue.culprit}`);
  const candidates = texts
    .map(({ issueId, title, culprit, type }) => ({
      issueId,
      title: similarityOf(own, wordsOf(`${type} ${title} ${culprit}`)),
    }))
    .sort((a, b) => b.title - a.title)
    .slice(0, BOUNDS.events)
    .filter(({ title }) => title > 0);
  const [ownLeaves, found] = await Promise.all([
    leavesOf(ctx, issue, rules),
    issues.findByIds(
      organizationId,
      candidates.map(({ issueId }) => issueId),
    ),
  ]);
  const byId = new Map(found.map((each) => [each.id, each]));
  const similar: SimilarIssue[] = [];
  for (let start = 0; start < candidates.length; start += AT_ONCE_MAX) {
    const part = candidates.slice(start, start + AT_ONCE_MAX).map(async ({ issueId, title }) => {
      const other = byId.get(issueId);
      if (!other) return;
      const leaves = ownLeaves && (await leavesOf(ctx, other, rules));
      similar.push({
        issue: other,
        title,
        grouping: ownLeaves && leaves ? similarityOf(ownLeaves, leaves) : null,
      });
    });
    await Promise.all(part);
  }
  return rankSimilar(similar).slice(0, BOUNDS.shown);
}

/** Those that are similar enough, best match first: a stack trace says more than a message. */
export const rankSimilar = (similar: readonly SimilarIssue[]): SimilarIssue[] =>
  similar
    .filter(({ title, grouping }) => Math.max(title, grouping ?? 0) >= SIMILARITY_MIN)
    .sort((a, b) => weigh(b) - weigh(a) || a.issue.id - b.issue.id);

const weigh = ({ title, grouping }: SimilarIssue): number => title + (grouping ?? 0) * 2;

async function leavesOf(
  ctx: Context,
  issue: Issue,
  rules: GroupingRules,
): Promise<ReadonlySet<string> | null> {
  const event = await ctx.stores.events.findEdgeEvent(
    eventScope(ctx, [issue.projectId]),
    await findEventsOfIssue(ctx, issue),
    'recommended',
  );
  if (!event || event.isBodySampled) return null;
  const { variants } = groupEvent(event.payload, rules);
  const [variant] = Object.values(variants).filter(({ contributes }) => contributes);
  return new Set(variant?.values ?? []);
}

/** Words of a text: numbers and single letters tell nothing. */
export function wordsOf(text: string): ReadonlySet<string> {
  const words = text
    .slice(0, TEXT_CHARACTERS_MAX)
    .split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u)
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 1 && !/^\d+$/.test(word));
  return new Set(words);
}

const TEXT_CHARACTERS_MAX = 1_000;

/** Share of what both have in what either has: from 0 to 1. */
export function similarityOf(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  if (left.size === 0 || right.size === 0) return 0;
  let common = 0;
  for (const entry of left) if (right.has(entry)) common += 1;
  return common / (left.size + right.size - common);
}
