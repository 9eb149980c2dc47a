import { z } from 'zod';
import { ISSUE_SORTS, type Issue, type IssueSort } from '#domain/issues/issue.ts';
import { invalid } from '#lib/errors.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { DAY_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { checkLimit, decodeCursor, encodeCursor } from '#product/cursor.ts';
import { requireRight } from '#product/permissions.ts';
import { openIssueSearch } from '#product/search/open-issue-search.ts';
import { checkRange, chooseBucketMs, inRoundBuckets, type Range } from '#product/time-buckets.ts';
import { eventScope, selectProjects } from '#product/visible-projects.ts';
import type { IssueActivity } from '#storage/ports/events.ts';
import type { EventExpression } from '#storage/ports/search.ts';
import { findIssueEvents } from './issue-events.ts';
import type { IssuePlace } from './issue-page.ts';
import { type ListedIssues, RANKED_MAX, rankMatching } from './rank-matching.ts';

/** An issue as a list shows it: with its events and users of the range and the search; null while the event store is away. */
export type IssueRow = Issue & { activity: IssueActivity | null };

export type IssueListInput = {
  query: string;
  /** Empty for all that are visible. */
  projectSlugs: readonly string[];
  sort: IssueSort;
  /** Issues last seen in it; null for any time. */
  range: Range | null;
  /** Of which an event must be; absent or empty for any. */
  environments?: readonly string[];
  cursor: string | null;
  limit: number;
  /** Whether `activity` is counted; else it is null. True when absent. */
  withActivity?: boolean;
};

export type IssueList = {
  issues: readonly IssueRow[];
  nextCursor: string | null;
  previousCursor: string | null;
  bucketMs: number;
  /** What `activity` counts. */
  range: Range & { bucketsFromMs: number };
  /** Whether the search asks something of events, so that counts are of a part of them. */
  isFiltered: boolean;
  /** True when more issues matched what is asked of events than are looked at: older ones may be missing. */
  isCut: boolean;
  /** How many issues were ranked, when there are more: those beyond are missing. null for all. */
  ranked: number | null;
};

/** Events are kept this long, so older ones cannot be counted. */
const ANY_TIME_MS = 90 * DAY_MS;
/** A list does not wait longer for its charts. */
const ACTIVITY_MS_MAX = 5_000;

/** The issue stream. Throws Invalid for a bad query, sort, range or cursor, NotFound for a project that is not visible. */
export async function listIssues(ctx: Context, input: IssueListInput): Promise<IssueList> {
  requireRight(ctx, 'event:read');
  checkLimit(input.limit);
  const sort = checkSort(input.sort);
  const { bucketMs, range } = chooseActivity(ctx, input);
  const place = decodePlace(input.cursor, sort);
  const projects = await selectProjects(ctx, input.projectSlugs);
  const environments = input.environments ?? [];
  const search = await openIssueSearch(ctx, input.query, projects, { range: input.range, environments });
  const projectIds = projects.map((project) => project.id);

  const isRanked = sort === 'user' || sort === 'trends' || (sort === 'freq' && input.range !== null);
  const page = isRanked
    ? await rankMatching(ctx, projectIds, search, {
        sort,
        range,
        offset: place?.offset ?? 0,
        limit: input.limit,
      })
    : await readStored(sort, place?.from ?? null);
  const activities =
    input.withActivity === false
      ? null
      : await countActivities(ctx, page.issues, projectIds, { range, bucketMs, events: search.events });
  return {
    issues: page.issues.map((issue) => ({ ...issue, activity: activities?.get(issue.id) ?? null })),
    nextCursor: page.next && encodeCursor({ sort, ...page.next }),
    previousCursor: page.previous && encodeCursor({ sort, ...page.previous }),
    bucketMs,
    range,
    isFiltered: search.events !== null,
    isCut: search.isCut,
    ranked: page.isCut ? RANKED_MAX : null,
  };

  async function readStored(by: 'date' | 'new' | 'freq' | 'priority', from: IssuePlace | null) {
    const read = (start: IssuePlace | null) =>
      ctx.stores.issues.search(ctx.organization.id, projectIds, search.expression, {
        sort: by,
        limit: input.limit,
        from: start,
      });
    const found = await read(from);
    // Backwards beyond the beginning: the first page, and it is full.
    const { issues, next, previous } =
      from?.side === 'before' && found.previous === null ? await read(null) : found;
    return {
      issues,
      next: next && { from: next },
      previous: previous && { from: previous },
      isCut: false,
    } satisfies ListedIssues;
  }
}

function checkSort(sort: IssueSort): IssueSort {
  if (ISSUE_SORTS.includes(sort)) return sort;
  throw invalid(`Issues cannot be sorted by "${sort}": choose one of ${ISSUE_SORTS.join(', ')}`, 'sort');
}

function chooseActivity(ctx: Context, input: IssueListInput): Pick<IssueList, 'bucketMs' | 'range'> {
  const nowMs = ctx.now();
  const asked = input.range ?? { fromMs: nowMs - ANY_TIME_MS, toMs: nowMs };
  checkRange(asked);
  const bucketMs = chooseBucketMs(asked);
  return { bucketMs, range: inRoundBuckets(asked, bucketMs, nowMs) };
}

function decodePlace(cursor: string | null, sort: IssueSort) {
  const place = decodeCursor(cursor, PLACE);
  if (place && place.sort !== sort) {
    throw invalid(
      `The cursor belongs to a list sorted by "${place.sort}": start again without a cursor`,
      'cursor',
    );
  }
  return place;
}

/** Beside an issue, or where the list is ranked anew for each page, how many come before. */
const PLACE = z.object({
  sort: z.enum(ISSUE_SORTS),
  from: z
    .object({
      side: z.enum(['after', 'before']),
      of: z.object({ sortValue: z.number(), id: z.number().int().nonnegative() }),
    })
    .optional(),
  offset: z.number().int().min(0).max(RANKED_MAX).optional(),
});

/** By issue; null while the event store is away: a list without charts is better than none. */
async function countActivities(
  ctx: Context,
  issues: readonly Issue[],
  projectIds: readonly number[],
  { range, bucketMs, events }: Pick<IssueList, 'bucketMs' | 'range'> & { events: EventExpression | null },
): Promise<ReadonlyMap<number, IssueActivity> | null> {
  if (issues.length === 0) return new Map();
  const issueEvents = await findIssueEvents(ctx, issues);
  const counted = await orUnavailable(
    ctx.stores.events.countActivity(
      eventScope(ctx, projectIds),
      issueEvents,
      range,
      bucketMs,
      events ?? undefined,
    ),
    ACTIVITY_MS_MAX,
  );
  return counted.ok ? new Map(counted.value.map((activity) => [activity.issueId, activity])) : null;
}
