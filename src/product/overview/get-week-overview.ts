import type { Issue } from '#domain/issues/issue.ts';
import type { Project, ProjectSummary } from '#domain/projects.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { DAY_MS, HOUR_MS, WEEK_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { findIssueEvents } from '#product/issues/issue-events.ts';
import { requireRight } from '#product/permissions.ts';
import type { Stores } from '#product/stores.ts';
import { eventScope, listVisibleProjects } from '#product/visible-projects.ts';
import type { IssueActivity, TimeRange } from '#storage/ports/events.ts';

/** Entries of each list. */
const SHOWN_MAX = 5;
/** Hashes among which the most frequent issues are looked for: an issue may have many. */
const HASHES_MAX = 200;
/** A page does not wait longer for the store of events. */
const EVENTS_MS_MAX = 5_000;

export type OverviewIssue = Issue & {
  /** Of the week; null while the store of events is away. `days`: events of each day, oldest first. */
  week: { events: number; users: number; days: readonly number[] } | null;
};

export type OverviewList = {
  /** How many there are; the list holds the first of them. */
  total: number;
  issues: readonly OverviewIssue[];
};

export type WeekOverview = {
  range: TimeRange;
  /** Errors that were accepted: in the week, in the one before, and by day, oldest first. */
  events: { total: number; before: number; days: readonly number[] };
  /** The most frequent first. */
  created: OverviewList;
  /** The latest first. */
  regressed: OverviewList;
  /** Resolved in the week and resolved still, the latest first. */
  fixed: OverviewList;
  /** null while the store of events is away. */
  frequent: readonly OverviewIssue[] | null;
  noisiest: {
    /** Projects with the most errors. */
    projects: readonly NoisyProject[];
    /** Alert rules that fired most. */
    rules: readonly { ruleId: number; name: string; projectSlug: string; firings: number }[];
  };
};

/**
 * The seven days before `endsAtMs` (whole hours; absent for now) in the projects that the actor may know of. Its own
 * errors interest only the instance's owner, and are left out for all.
 */
export async function getWeekOverview(
  ctx: Context,
  { endsAtMs = ctx.now() }: { endsAtMs?: number } = {},
): Promise<WeekOverview> {
  requireRight(ctx, 'event:read');
  const toMs = Math.ceil(endsAtMs / HOUR_MS) * HOUR_MS;
  const range = { fromMs: toMs - WEEK_MS, toMs };
  const projects = (await listVisibleProjects(ctx)).filter(({ isInternal }) => !isInternal);
  const projectIds = projects.map(({ id }) => id);
  const organizationId = ctx.organization.id;
  const [facts, summaries, frequentIds] = await Promise.all([
    ctx.stores.overviews.summarize(organizationId, projectIds, range, SHOWN_MAX),
    ctx.stores.projectSummaries.summarize(
      organizationId,
      projectIds,
      { fromMs: range.fromMs - WEEK_MS, toMs },
      DAY_MS,
    ),
    orUnavailable(findFrequent(ctx, projectIds, range), EVENTS_MS_MAX),
  ]);
  const { created, regressed, fixed } = facts;
  const ids = [created, regressed, fixed].flatMap(({ issueIds }) => issueIds);
  const issues = await loadIssues(ctx, projectIds, range, [
    ...new Set([...ids, ...(frequentIds.ok ? frequentIds.value : [])]),
  ]);
  const pick = (issueIds: readonly number[]) => issueIds.flatMap((id) => issues.get(id) ?? []);
  const before = sumDays(summaries, 0);
  const within = sumDays(summaries, 7);
  return {
    range,
    events: { total: sum(within), before: sum(before), days: within },
    created: { total: created.total, issues: pick(created.issueIds) },
    regressed: { total: regressed.total, issues: pick(regressed.issueIds) },
    fixed: { total: fixed.total, issues: pick(fixed.issueIds) },
    frequent: frequentIds.ok
      ? pick(frequentIds.value)
          .toSorted(compareFrequency)
          .filter(({ week }) => week !== null)
          .slice(0, SHOWN_MAX)
      : null,
    noisiest: {
      projects: rankProjects(projects, summaries, SHOWN_MAX),
      rules: facts.rules.map(({ projectId, ...rule }) => ({
        ...rule,
        projectSlug: slugOf(projects, projectId),
      })),
    },
  };
}

/** Numbers of the issues with the most events, in no promised order; more than are shown. */
async function findFrequent(
  ctx: Context,
  projectIds: readonly number[],
  range: TimeRange,
): Promise<readonly number[]> {
  const { events, issues } = ctx.stores;
  const hashes = await events.listFrequentHashes(eventScope(ctx, projectIds), range, HASHES_MAX);
  const shortIds = await issues.findShortIds(ctx.organization.id, hashes);
  const ids = await issues.findIdsByShortIds(ctx.organization.id, [...new Set(shortIds.values())]);
  return [...ids.values()];
}

async function loadIssues(
  ctx: Context,
  projectIds: readonly number[],
  range: TimeRange,
  ids: readonly number[],
): Promise<ReadonlyMap<number, OverviewIssue>> {
  const issues = await ctx.stores.issues.findByIds(ctx.organization.id, ids);
  const issueEvents = await findIssueEvents(ctx, issues);
  const counted = await orUnavailable(
    ctx.stores.events.countActivity(eventScope(ctx, projectIds), issueEvents, range, DAY_MS),
    EVENTS_MS_MAX,
  );
  const activities = new Map<number, IssueActivity>(
    (counted.ok ? counted.value : []).map((activity) => [activity.issueId, activity]),
  );
  return new Map(
    issues.map((issue): [number, OverviewIssue] => {
      const activity = activities.get(issue.id);
      const week = activity
        ? { events: activity.events, users: activity.users, days: activity.buckets }
        : null;
      return [issue.id, { ...issue, week }];
    }),
  );
}

const slugOf = (projects: readonly Project[], projectId: number): string =>
  projects.find(({ id }) => id === projectId)?.slug ?? '';

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** Seven days from the given one on, of all projects together. */
const sumDays = (summaries: readonly { buckets: readonly number[] }[], first: number): readonly number[] =>
  Array.from({ length: 7 }, (_, day) => sum(summaries.map(({ buckets }) => buckets[first + day] ?? 0)));

/** A project with its errors of the week and of the one before. */
export type NoisyProject = { slug: string; name: string; events: number; before: number };

const DAYS = 7;

/** Those with the most errors first; silent ones are left out. `summaries` hold fourteen days, oldest first. */
export function rankProjects(
  projects: readonly Project[],
  summaries: readonly Pick<ProjectSummary, 'projectId' | 'buckets'>[],
  limit: number,
): readonly NoisyProject[] {
  return projects
    .flatMap(({ id, slug, name }) => {
      const buckets = summaries.find(({ projectId }) => projectId === id)?.buckets ?? [];
      const sum = (days: readonly number[]) => days.reduce((total, count) => total + count, 0);
      return { slug, name, events: sum(buckets.slice(DAYS)), before: sum(buckets.slice(0, DAYS)) };
    })
    .filter(({ events }) => events > 0)
    .sort((a, b) => b.events - a.events || a.slug.localeCompare(b.slug))
    .slice(0, limit);
}

type Counted = { id: number; week: { events: number } | null };

/** More events of the week first. */
export const compareFrequency = (a: Counted, b: Counted): number =>
  (b.week?.events ?? 0) - (a.week?.events ?? 0) || b.id - a.id;

/** Of Monday, UTC: most of the world is awake, or will find it when it is. */
const SENT_FROM_HOUR = 7;
/** Whoever was down on Monday morning sends it until then; later it would be stale. */
const SENT_FOR_MS = DAY_MS;
/** The first Monday of the epoch. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/**
 * Begins the mails about the last whole week (Monday to Sunday, UTC), once for each member who wants them, of
 * organizations where something happened. Answers how many; 0 outside of Monday.
 */
export async function openWeeklyReports(
  { reports }: Pick<Stores, 'reports'>,
  nowMs: number,
): Promise<number> {
  const monday = mondayBefore(nowMs);
  const sentFrom = monday + SENT_FROM_HOUR * HOUR_MS;
  if (nowMs < sentFrom || nowMs >= sentFrom + SENT_FOR_MS) return 0;
  const weekStart = monday - WEEK_MS;
  let opened = 0;
  for (const organizationId of await reports.listActiveOrganizations({ fromMs: weekStart, toMs: monday })) {
    opened += await reports.open(organizationId, weekStart, nowMs);
  }
  return opened;
}

/** Midnight of the last Monday, UTC. */
export const mondayBefore = (nowMs: number): number =>
  FIRST_MONDAY_MS + Math.floor((nowMs - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS;
