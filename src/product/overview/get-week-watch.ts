import type { Project } from '#domain/projects.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { HOUR_MS, WEEK_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { hasRight, requireRight } from '#product/permissions.ts';
import { listReleases } from '#product/releases/list-releases.ts';
import { eventScope, listVisibleProjects } from '#product/visible-projects.ts';
import type { TimeRange } from '#storage/ports/events.ts';

/** Entries of each list. */
const SHOWN_MAX = 5;
/** Monitors whose runs or checks are counted: of cron monitors those that stand worst. */
const MONITORS_COUNTED_MAX = 500;
/** Incidents that are counted. */
const INCIDENTS_MAX = 1_000;
/** Releases among which the newest two of each project are looked for. */
const RELEASES_READ_MAX = 50;
/** A page does not wait longer for each part. */
const PART_MS_MAX = 5_000;

/** A part of what was watched; `total` counts what the list may hold only the first of. */
type WatchList<Item> = { total: number; items: readonly Item[] };

export type WeekMonitor = {
  id: number;
  name: string;
  projectSlug: string;
  /** Runs that ended or were missed, and of them those that went wrong. */
  runs: number;
  missed: number;
  failed: number;
  timedOut: number;
};

export type WeekUptime = {
  id: number;
  name: string;
  projectSlug: string;
  /** 0 to 1; null without a check that tells. */
  availability: number | null;
  /** That went on in the week. */
  incidents: number;
};

export type WeekRelease = {
  projectSlug: string;
  /** Of the week. */
  version: string;
  sessions: number;
  crashFree: number;
  /** The release before, of the same week; null when it had no sessions. */
  before: { version: string; crashFree: number } | null;
};

/** Each part is empty when there is nothing to say of it, or its store did not answer. */
export type WeekWatch = {
  /** With runs that went wrong, most first. */
  monitors: WatchList<WeekMonitor>;
  /** With incidents or failed checks, the least available first. */
  uptime: WatchList<WeekUptime>;
  /** The newest release of each project, most sessions first. */
  releases: readonly WeekRelease[];
  /** That was sent in the week, the latest first. */
  feedback: WatchList<{ shortId: string; title: string; projectSlug: string }>;
};

/**
 * What monitors, sessions and people told in the seven days before `endsAtMs` (whole hours; absent for now), in the projects
 * that the actor may know of; without the right to read projects nothing of uptime and releases.
 */
export async function getWeekWatch(
  ctx: Context,
  { endsAtMs = ctx.now() }: { endsAtMs?: number } = {},
): Promise<WeekWatch> {
  requireRight(ctx, 'event:read');
  const toMs = Math.ceil(endsAtMs / HOUR_MS) * HOUR_MS;
  const range = { fromMs: toMs - WEEK_MS, toMs };
  const projects = (await listVisibleProjects(ctx)).filter(({ isInternal }) => !isInternal);
  const readsProjects = projects.length > 0 && hasRight(ctx.actor, 'project:read');
  const [monitors, uptime, releases, feedback] = await Promise.all([
    orEmpty(readMonitors(ctx, projects, range), NOTHING),
    readsProjects ? orEmpty(readUptime(ctx, projects, range), NOTHING) : NOTHING,
    readsProjects ? orEmpty(readReleases(ctx, projects, range), []) : [],
    readFeedback(ctx, projects, range),
  ]);
  return { monitors, uptime, releases, feedback };
}

const NOTHING = { total: 0, items: [] };

async function orEmpty<Part>(reading: Promise<Part>, empty: Part): Promise<Part> {
  const read = await orUnavailable(reading, PART_MS_MAX);
  return read.ok ? read.value : empty;
}

const firstOf = <Item>(items: readonly Item[]): WatchList<Item> => ({
  total: items.length,
  items: items.slice(0, SHOWN_MAX),
});

const slugsOf = (projects: readonly Project[]): ReadonlyMap<number, string> =>
  new Map(projects.map(({ id, slug }) => [id, slug]));

async function readMonitors(
  ctx: Context,
  projects: readonly Project[],
  range: TimeRange,
): Promise<WatchList<WeekMonitor>> {
  const slugs = slugsOf(projects);
  const monitors = await ctx.stores.monitors.list(ctx.organization.id, {
    projectIds: [...slugs.keys()],
    environments: [],
    text: '',
    after: null,
    limit: MONITORS_COUNTED_MAX,
  });
  const counts = await ctx.stores.telemetry.countCheckIns(eventScope(ctx, projects), {
    monitors,
    range,
    bucketMs: WEEK_MS,
  });
  const found = monitors.map(({ id, name, slug, projectId }): WeekMonitor => {
    const own = counts.filter((each) => each.projectId === projectId && each.monitorSlug === slug);
    const of = (...statuses: readonly string[]) =>
      own.filter(({ status }) => statuses.includes(status)).reduce((total, { count }) => total + count, 0);
    return {
      id,
      name,
      projectSlug: slugs.get(projectId) ?? '',
      runs: of('ok', 'error', 'missed', 'timeout'),
      missed: of('missed'),
      failed: of('error'),
      timedOut: of('timeout'),
    };
  });
  const wrong = ({ missed, failed, timedOut }: WeekMonitor) => missed + failed + timedOut;
  return firstOf(found.filter((each) => wrong(each) > 0).toSorted((a, b) => wrong(b) - wrong(a)));
}

async function readUptime(
  ctx: Context,
  projects: readonly Project[],
  range: TimeRange,
): Promise<WatchList<WeekUptime>> {
  const slugs = slugsOf(projects);
  const organizationId = ctx.organization.id;
  const projectIds = [...slugs.keys()];
  const monitors = await ctx.stores.uptimeMonitors.list(
    { organizationId, projectIds },
    { limit: MONITORS_COUNTED_MAX, after: null },
  );
  const monitorIds = monitors.map(({ id }) => id);
  if (monitorIds.length === 0) return NOTHING;
  const [buckets, incidents] = await Promise.all([
    ctx.stores.uptimeChecks.countBuckets(
      { organizationId, projectIds },
      { monitorIds, range, bucketMs: WEEK_MS },
    ),
    ctx.stores.uptimeIncidents.list(organizationId, {
      monitorIds,
      sinceMs: range.fromMs,
      limit: INCIDENTS_MAX,
    }),
  ]);
  const found = monitors.map(({ id, name, projectId }): WeekUptime => {
    const own = buckets.filter(({ monitorId }) => monitorId === id);
    const successes = own.reduce((total, bucket) => total + bucket.successes, 0);
    const failures = own.reduce((total, bucket) => total + bucket.failures, 0);
    return {
      id,
      name,
      projectSlug: slugs.get(projectId) ?? '',
      availability: successes + failures === 0 ? null : successes / (successes + failures),
      incidents: incidents.filter(({ monitorId, startedAt }) => monitorId === id && startedAt < range.toMs)
        .length,
    };
  });
  return firstOf(
    found
      .filter(({ availability, incidents: count }) => count > 0 || (availability ?? 1) < 1)
      .toSorted((a, b) => (a.availability ?? 1) - (b.availability ?? 1) || b.incidents - a.incidents),
  );
}

async function readReleases(
  ctx: Context,
  projects: readonly Project[],
  range: TimeRange,
): Promise<readonly WeekRelease[]> {
  const { releases } = await listReleases(ctx, {
    search: '',
    projectSlugs: projects.map(({ slug }) => slug),
    environments: [],
    range,
    sort: 'date',
    limit: RELEASES_READ_MAX,
    cursor: null,
    status: null,
  });
  const told = releases.flatMap(({ version, projectSlugs, health }) =>
    health && health.crashFreeSessions !== null
      ? [{ version, projectSlugs, sessions: health.sessions, crashFree: health.crashFreeSessions }]
      : [],
  );
  return projects
    .flatMap(({ slug }): readonly WeekRelease[] => {
      const [newest, before] = told.filter(({ projectSlugs }) => projectSlugs.includes(slug));
      if (!newest) return [];
      const { version, sessions, crashFree } = newest;
      return [
        {
          projectSlug: slug,
          version,
          sessions,
          crashFree,
          before: before ? { version: before.version, crashFree: before.crashFree } : null,
        },
      ];
    })
    .toSorted((a, b) => b.sessions - a.sessions)
    .slice(0, SHOWN_MAX);
}

async function readFeedback(
  ctx: Context,
  projects: readonly Project[],
  range: TimeRange,
): Promise<WeekWatch['feedback']> {
  const { total, issueIds } = await ctx.stores.overviews.listFeedback(
    ctx.organization.id,
    projects.map(({ id }) => id),
    range,
    SHOWN_MAX,
  );
  const issues = await ctx.stores.issues.findByIds(ctx.organization.id, issueIds);
  return {
    total,
    items: issueIds.flatMap((id) => {
      const issue = issues.find((each) => each.id === id);
      return issue ? [{ shortId: issue.shortId, title: issue.title, projectSlug: issue.projectSlug }] : [];
    }),
  };
}
