import { z } from 'zod';
import { runOf } from '#domain/monitors/run-times.ts';
import type { Project } from '#domain/projects.ts';
import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { checkLimit, decodeCursor, encodeCursor, toPage } from '#product/cursor.ts';
import { requireRight } from '#product/permissions.ts';
import { TELEMETRY_PLACE } from '#product/telemetry/telemetry.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope, listVisibleProjects, selectProject, selectProjects } from '#product/visible-projects.ts';
import type { CheckInSummary } from '#storage/ports/telemetry.ts';
import { MONITOR_RANKS, type Monitor } from './monitor.ts';
import type { RankedMonitor } from './store/monitor-store.ts';
import { runTimesOf } from './watch/watch-settings.ts';

const PLACE = z.object({
  rank: z.number().int().nonnegative(),
  name: z.string().max(256),
  id: z.number().int().nonnegative(),
});

/** A monitor with its project. */
export type ProjectMonitor = RankedMonitor & { project: Project };

/** Monitors of the projects, of every visible one for none: those that fail first, then by name. */
export async function listMonitors(
  ctx: Context,
  input: {
    projectSlugs: readonly string[];
    environments?: readonly string[];
    /** A part of a name or slug. */
    text?: string;
    cursor: string | null;
    limit: number;
  },
): Promise<{ rows: readonly ProjectMonitor[]; nextCursor: string | null }> {
  requireRight(ctx, 'event:read');
  checkLimit(input.limit);
  const after = decodeCursor(input.cursor, PLACE);
  const projects = await selectProjects(ctx, input.projectSlugs);
  const monitors = await ctx.stores.monitors.list(ctx.organization.id, {
    projectIds: projects.map(({ id }) => id),
    environments: input.environments ?? [],
    text: (input.text ?? '').trim(),
    after,
    limit: input.limit + 1,
  });
  const { page, nextCursor } = toPage(monitors, input.limit, ({ rank, name, id }) => ({
    rank: MONITOR_RANKS[rank],
    name,
    id,
  }));
  return { rows: withProjects(page, projects), nextCursor };
}

const withProjects = (
  monitors: readonly RankedMonitor[],
  projects: readonly Project[],
): readonly ProjectMonitor[] =>
  monitors.flatMap((monitor) => {
    const project = projects.find(({ id }) => id === monitor.projectId);
    return project ? [{ ...monitor, project }] : [];
  });

export type NamedMonitor = { projectSlugs: readonly string[]; slug: string };

/** A monitor by slug or UUID in the projects (all visible ones for none), the oldest project's first. Throws NotFound. */
export async function getMonitor(ctx: Context, named: NamedMonitor): Promise<ProjectMonitor> {
  requireRight(ctx, 'event:read');
  return await selectMonitor(ctx, named);
}

/** The same for verbs that have asked for their own right. Throws NotFound. */
export async function selectMonitor(ctx: Context, input: NamedMonitor): Promise<ProjectMonitor> {
  const projects = await selectProjects(ctx, input.projectSlugs);
  const projectIds = projects.map(({ id }) => id);
  const found = await ctx.stores.monitors.findBySlug(ctx.organization.id, projectIds, input.slug);
  const [monitor] = withProjects(found, projects);
  if (monitor) return monitor;
  throw notFound(`Organization ${ctx.organization.slug} has no monitor "${input.slug.slice(0, 80)}"`);
}

/** By number, of a visible project. Throws NotFound. */
export async function findMonitor(ctx: Context, monitorId: number): Promise<ProjectMonitor> {
  requireRight(ctx, 'event:read');
  return await findVisibleMonitor(ctx, monitorId);
}

/** The same for verbs that have asked for their own right. Throws NotFound. */
export async function findVisibleMonitor(ctx: Context, monitorId: number): Promise<ProjectMonitor> {
  const [monitor, projects] = await Promise.all([
    ctx.stores.monitors.find(ctx.organization.id, monitorId),
    listVisibleProjects(ctx),
  ]);
  const [found] = withProjects(monitor ? [monitor] : [], projects);
  if (found) return found;
  throw notFound(`Organization ${ctx.organization.slug} has no monitor #${monitorId}`);
}

/** A check-in with when its run was due; null when that is not known. */
export type ExpectedCheckIn = CheckInSummary & { expectedAt: number | null };

/** Check-ins of a project, of one of its monitors or of all, the last begun first. */
export async function listCheckIns(
  ctx: Context,
  input: {
    projectSlug: string;
    monitorSlug: string | null;
    environments?: readonly string[];
    cursor: string | null;
    limit: number;
    range?: Range | null;
  },
): Promise<{ rows: readonly ExpectedCheckIn[]; nextCursor: string | null }> {
  requireRight(ctx, 'event:read');
  checkLimit(input.limit);
  const range = input.range ?? null;
  if (range) checkRange(range);
  const before = decodeCursor(input.cursor, TELEMETRY_PLACE);
  const project = await selectProject(ctx, input.projectSlug);
  const { limit, monitorSlug, environments = [] } = input;
  const { rows, next } = await ctx.stores.telemetry.listCheckIns(eventScope(ctx, [project.id]), {
    monitorSlug,
    environments,
    limit,
    before,
    range,
  });
  const slugs = [...new Set(rows.map((row) => row.monitorSlug))];
  const monitors = await ctx.stores.monitors.findSettings(ctx.organization.id, project.id, slugs);
  return {
    rows: rows.map((row) => ({
      ...withDuration(row),
      expectedAt: expectedAt(
        row,
        monitors.find(({ slug }) => slug === row.monitorSlug),
      ),
    })),
    nextCursor: next && encodeCursor(next),
  };
}

/** By the schedule as it is now: what is expected of an interval depends on the run before. */
function expectedAt({ status, startedAt }: CheckInSummary, monitor: Monitor | undefined): number | null {
  if (status === 'missed') return startedAt;
  const times = monitor && runTimesOf(monitor);
  return times ? runOf(times, startedAt) : null;
}

/** A check-in that ended without saying how long it took, took as long as its updates are apart. */
const withDuration = (checkIn: CheckInSummary): CheckInSummary =>
  checkIn.durationMs !== null || checkIn.status === 'in_progress' || checkIn.updatedAt === checkIn.startedAt
    ? checkIn
    : { ...checkIn, durationMs: checkIn.updatedAt - checkIn.startedAt };
