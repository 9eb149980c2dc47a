import type { Project } from '#domain/projects.ts';
import type { Context } from '#product/context.ts';
import type { Range } from '#product/time-buckets.ts';
import type { IssueCondition } from '#storage/ports/search.ts';
import { type FoundIssues, findHashes } from './find-hashes.ts';
import { readIssueSearch } from './read-issue-search.ts';
import { openScope } from './search-problem.ts';

/** Issues of the projects that match, seen in the range and one of the environments. Throws Invalid. */
export async function openIssueSearch(
  ctx: Context,
  query: string,
  projects: readonly Project[],
  options: { range: Range | null; environments?: readonly string[] },
): Promise<FoundIssues> {
  const mixed = await readIssueSearch(query, openScope(ctx, projects), options.environments);
  const range = seenWithin(ctx, options.range);
  const projectIds = projects.map((project) => project.id);
  const { expression, isCut } = await findHashes(ctx, mixed, projectIds, range);
  return { expression: { kind: 'and', parts: [...thereIn(range), expression] }, isCut };
}

/** First seen before its end, and last seen not before its start: a time that is over also has what went on afterwards. */
const thereIn = (range: Range | null): readonly IssueCondition[] =>
  range === null
    ? []
    : [
        { kind: 'moment', field: 'last_seen', comparison: '>=', atMs: range.fromMs },
        { kind: 'moment', field: 'first_seen', comparison: '<', atMs: range.toMs },
      ];

/** Events may be dated up to a minute ahead of the edge's clock, and the edge's clock may run ahead of ours. */
const AHEAD_MS = 5 * 60_000;

/** The range as issues are asked for it. One that reaches up to now also holds what is dated a little ahead. */
export function seenWithin(ctx: Context, range: Range | null): Range | null {
  if (!range) return null;
  const nowMs = ctx.now();
  const isOpen = range.toMs >= nowMs - AHEAD_MS;
  return { fromMs: range.fromMs, toMs: isOpen ? Math.max(range.toMs, nowMs) + AHEAD_MS : range.toMs };
}
