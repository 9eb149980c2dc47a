import type { Project } from '#domain/projects.ts';
import type { Context } from '#product/context.ts';
import type { Range } from '#product/time-buckets.ts';
import type { EventExpression, IssueCondition } from '#storage/ports/search.ts';
import { type FoundIssues, findHashes } from './find-hashes.ts';
import { combineEvents, inEnvironments, readIssueSearch } from './read-issue-search.ts';
import { openScope } from './search-problem.ts';

/** What a search finds. */
export type OpenIssueSearch = FoundIssues & {
  /** Which of their events are counted: those that satisfy what the search asks of events. null for all. */
  events: EventExpression | null;
};

/** Issues of the projects that match, seen in the range and one of the environments. Throws Invalid. */
export async function openIssueSearch(
  ctx: Context,
  query: string,
  projects: readonly Project[],
  options: { range: Range | null; environments?: readonly string[] },
): Promise<OpenIssueSearch> {
  const { expression: mixed, events } = await readIssueSearch(
    query,
    openScope(ctx, projects),
    options.environments,
  );
  const range = seenWithin(ctx, options.range);
  const projectIds = projects.map((project) => project.id);
  const { expression, isCut } = await findHashes(ctx, mixed, projectIds, range);
  return {
    expression: { kind: 'and', parts: [...thereIn(range), expression] },
    isCut,
    events,
  };
}

/** What a search asks of events, and the part of that which the environments ask; null for nothing. Throws Invalid. */
export async function readEventsAsked(
  ctx: Context,
  query: string,
  projects: readonly Project[],
  environments: readonly string[],
): Promise<{ events: EventExpression | null; environment: EventExpression | null }> {
  const environment = environments.length > 0 ? inEnvironments(environments) : null;
  const { events } = await readIssueSearch(query, openScope(ctx, projects));
  return { events: combineEvents('and', [environment, events]), environment };
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
