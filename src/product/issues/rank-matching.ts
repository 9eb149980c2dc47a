import type { Issue, IssueSort } from '#domain/issues/issue.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import type { Context } from '#product/context.ts';
import type { OpenIssueSearch } from '#product/search/open-issue-search.ts';
import type { Range } from '#product/time-buckets.ts';
import { eventScope } from '#product/visible-projects.ts';
import type { IssueRanking } from '#storage/ports/events.ts';
import { findIssueEvents } from './issue-events.ts';
import type { IssuePlace } from './issue-page.ts';

/** Issues that are ranked by their events at most: of more, those with the most events ever, or those seen last. */
export const RANKED_MAX = 1_000;

/** A page of issues, and where those before and after it are. */
export type ListedIssues = {
  issues: readonly Issue[];
  next: { from: IssuePlace } | { offset: number } | null;
  previous: { from: IssuePlace } | { offset: number } | null;
  /** True when more match than were looked at. */
  isCut: boolean;
};

const RANKINGS: Readonly<Partial<Record<IssueSort, IssueRanking>>> = {
  freq: 'events',
  user: 'users',
  trends: 'trend',
};

/** A list does not wait longer for its order. */
const RANKING_MS_MAX = 5_000;

/** The issues that a search finds, by what their events of the range and the search come to. */
export async function rankMatching(
  ctx: Context,
  projectIds: readonly number[],
  search: OpenIssueSearch,
  { sort, range, offset, limit }: { sort: IssueSort; range: Range; offset: number; limit: number },
): Promise<ListedIssues> {
  const found = await ctx.stores.issues.search(ctx.organization.id, projectIds, search.expression, {
    sort: sort === 'trends' ? 'date' : 'freq',
    limit: RANKED_MAX,
  });
  const ranking = await orUnavailable(
    ctx.stores.events.rankIssues(
      eventScope(ctx, projectIds),
      await findIssueEvents(ctx, found.issues),
      range,
      RANKINGS[sort] ?? 'events',
      search.events ?? undefined,
    ),
    RANKING_MS_MAX,
  );
  const ranks = ranking.ok ? ranking.value : [];
  const byId = new Map(found.issues.map((issue) => [issue.id, issue]));
  const ranked = ranks.flatMap((id) => byId.get(id) ?? []);
  const withEvents = new Set(ranks);
  // What has no event that counts is last, as it was found; so is everything while the event store is away.
  const all = [...ranked, ...found.issues.filter(({ id }) => !withEvents.has(id))];
  const end = offset + limit;
  return {
    issues: all.slice(offset, end),
    next: end < all.length ? { offset: end } : null,
    previous: offset > 0 ? { offset: Math.max(0, offset - limit) } : null,
    isCut: found.next !== null,
  };
}
