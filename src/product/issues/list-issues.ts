import { z } from 'zod';
import type { Issue, IssueSort } from '#domain/issues/issue.ts';
import { invalid } from '#lib/errors.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { DAY_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { checkLimit, decodeCursor, encodeCursor } from '#product/cursor.ts';
import { requireRight } from '#product/permissions.ts';
import { openIssueSearch } from '#product/search/open-issue-search.ts';
import { alignRange, checkRange, chooseBucketMs, type Range } from '#product/time-buckets.ts';
import { eventScope, listVisibleProjects, selectProjects } from '#product/visible-projects.ts';
import type { IssueActivity } from '#storage/ports/events.ts';
import { ISSUES_PER_CALL_MAX } from './get-issue.ts';
import { findEventsOfIssue, findIssueEvents } from './issue-events.ts';

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
  throw invalid(`Issues cannot be sorted by "${sort}": choose one of ${SORTS.join(', ')}`, 'sort');
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
      `The cursor belongs to a list sorted by "${place.sort}": start again without a cursor`,
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

const ISSUES_MAX = 8;
const WORDS_MAX = 10;
const TEXT_CHARACTERS_MAX = 200;

/**
 * Up to eight issues that have all the words in their short id, title, culprit or message, last seen first, in whatever
 * state. Empty for a text without words.
 */
export async function findIssuesByWords(ctx: Context, text: string): Promise<readonly Issue[]> {
  requireRight(ctx, 'event:read');
  const words = text.slice(0, TEXT_CHARACTERS_MAX).replaceAll('\0', '').split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const projects = await listVisibleProjects(ctx);
  const { issues } = await ctx.stores.issues.search(
    ctx.organization.id,
    projects.map((project) => project.id),
    {
      kind: 'and',
      parts: words.slice(0, WORDS_MAX).map((word) => ({
        kind: 'words',
        match: { kind: 'pattern', parts: ['', word, ''] },
        isNegated: false,
      })),
    },
    { sort: 'date', limit: ISSUES_MAX, after: null },
  );
  return issues;
}

/** The issues that a search finds, those seen last first, at most as many as can be changed at once. */
export async function findMatchingIssues(
  ctx: Context,
  input: { query: string; projectSlugs: readonly string[] },
): Promise<readonly Issue[]> {
  requireRight(ctx, 'event:read');
  const projects = await selectProjects(ctx, input.projectSlugs);
  const { expression } = await openIssueSearch(ctx, input.query, projects, { range: null });
  const projectIds = projects.map((project) => project.id);
  const page = await ctx.stores.issues.search(ctx.organization.id, projectIds, expression, {
    sort: 'date',
    limit: ISSUES_PER_CALL_MAX,
    after: null,
  });
  return page.issues;
}

/** Events and users of one issue over time. For whole buckets give an aligned range. */
export async function getIssueTrend(
  ctx: Context,
  issue: Issue,
  input: { range: Range; bucketMs: number },
): Promise<IssueActivity> {
  requireRight(ctx, 'event:read');
  checkRange(input.range, input.bucketMs);
  const [activity] = await ctx.stores.events.countActivity(
    eventScope(ctx, [issue.projectId]),
    [await findEventsOfIssue(ctx, issue)],
    input.range,
    input.bucketMs,
  );
  if (!activity) throw new Error(`No activity was counted for issue ${issue.id}`);
  return activity;
}
