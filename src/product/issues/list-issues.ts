import { z } from 'zod';
import type { Issue } from '#domain/issues/issue.ts';
import { invalid } from '#lib/errors.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { DAY_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { decodeCursor, encodeCursor } from '#product/cursor.ts';
import { checkLimit } from '#product/page-limit.ts';
import { requireRight } from '#product/permissions.ts';
import { openIssueSearch } from '#product/search/open-issue-search.ts';
import { alignRange, checkRange, chooseBucketMs, type Range } from '#product/time-buckets.ts';
import { eventScope, selectProjects } from '#product/visible-projects.ts';
import type { IssueActivity } from '#storage/ports/events.ts';
import type { IssueSort } from '#storage/ports/issues.ts';
import { findIssueEvents } from './issue-events.ts';

/** An issue as a list shows it: with its events and users of the range; null while the event store is away. */
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
  /** What `activity` covers, when it is not the range. */
  activityRange?: Range;
  /** Size of the buckets of `activity`; chosen from its range when absent. */
  bucketMs?: number;
};

export type IssueList = {
  issues: readonly IssueRow[];
  nextCursor: string | null;
  bucketMs: number;
  /** What `activity` covers, whole buckets. */
  range: Range;
  /** True when more issues matched what is asked of events than are looked at: older ones may be missing. */
  isCut: boolean;
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
  const after = decodePlace(input.cursor, sort);
  const projects = await selectProjects(ctx, input.projectSlugs);
  const { expression, isCut } = await openIssueSearch(ctx, input.query, projects, {
    range: input.range,
    environments: input.environments ?? [],
  });
  const projectIds = projects.map((project) => project.id);

  const page = await ctx.stores.issues.search(ctx.organization.id, projectIds, expression, {
    sort,
    limit: input.limit,
    after,
  });
  const activities = await countActivities(ctx, page.issues, projectIds, range, bucketMs);
  const next = page.next && encodeCursor({ sort, value: page.next.sortValue, id: page.next.id });
  return {
    issues: page.issues.map((issue) => ({ ...issue, activity: activities?.get(issue.id) ?? null })),
    nextCursor: next,
    bucketMs,
    range,
    isCut,
  };
}

const SORTS: readonly IssueSort[] = ['date', 'new', 'freq'];

function checkSort(sort: IssueSort): IssueSort {
  if (SORTS.includes(sort)) return sort;
  throw invalid(`Issues cannot be sorted by "${sort}": choose among ${SORTS.join(', ')}`, 'sort');
}

function chooseActivity(ctx: Context, input: IssueListInput): { bucketMs: number; range: Range } {
  const nowMs = ctx.now();
  const asked = input.activityRange ?? input.range ?? { fromMs: nowMs - ANY_TIME_MS, toMs: nowMs };
  if (input.range) checkRange(input.range);
  checkRange(asked, input.bucketMs);
  const bucketMs = input.bucketMs ?? chooseBucketMs(asked);
  return { bucketMs, range: alignRange(asked, bucketMs) };
}

function decodePlace(cursor: string | null, sort: IssueSort) {
  const place = decodeCursor(cursor, ISSUE_PLACE);
  if (place && place.sort !== sort) {
    throw invalid(
      `The cursor is of a list sorted by "${place.sort}": start again without a cursor`,
      'cursor',
    );
  }
  return place && { sortValue: place.value, id: place.id };
}

const ISSUE_PLACE = z.object({
  sort: z.enum(['date', 'new', 'freq']),
  value: z.number(),
  id: z.number().int().nonnegative(),
});

/** By issue; null while the event store is away: a list without charts is better than none. */
async function countActivities(
  ctx: Context,
  issues: readonly Issue[],
  projectIds: readonly number[],
  range: Range,
  bucketMs: number,
): Promise<ReadonlyMap<number, IssueActivity> | null> {
  if (issues.length === 0) return new Map();
  const issueEvents = await findIssueEvents(ctx, issues);
  const counted = await orUnavailable(
    ctx.stores.events.countActivity(eventScope(ctx, projectIds), issueEvents, range, bucketMs),
    ACTIVITY_MS_MAX,
  );
  return counted.ok ? new Map(counted.value.map((activity) => [activity.issueId, activity])) : null;
}
