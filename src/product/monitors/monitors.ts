import { z } from 'zod';
import type { Project } from '#domain/projects.ts';
import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { checkLimit, decodeCursor, encodeCursor, toPage } from '#product/cursor.ts';
import { requireRight } from '#product/permissions.ts';
import { TELEMETRY_PLACE } from '#product/telemetry/telemetry.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope, selectProject, selectProjects } from '#product/visible-projects.ts';
import type { CheckInSummary, MonitorSummary } from '#storage/ports/telemetry.ts';

const PLACE = z.object({ slug: z.string().max(256), projectId: z.number().int().nonnegative() });

/** A monitor with its project. */
export type ProjectMonitor = MonitorSummary & { project: Project };

/** Monitors of the projects, of every visible one for none, by name: each that ever checked in. */
export async function listMonitors(
  ctx: Context,
  input: { projectSlugs: readonly string[]; cursor: string | null; limit: number },
): Promise<{ rows: readonly ProjectMonitor[]; nextCursor: string | null }> {
  requireRight(ctx, 'event:read');
  checkLimit(input.limit);
  const after = decodeCursor(input.cursor, PLACE);
  const projects = await selectProjects(ctx, input.projectSlugs);
  const scope = eventScope(ctx, projects);
  const monitors = await ctx.stores.telemetry.listMonitors(scope, { limit: input.limit + 1, after });
  const { page, nextCursor } = toPage(monitors, input.limit, ({ slug, projectId }) => ({ slug, projectId }));
  return { rows: withProjects(page, projects), nextCursor };
}

export const withProjects = (
  monitors: readonly MonitorSummary[],
  projects: readonly Project[],
): readonly ProjectMonitor[] =>
  monitors.flatMap((monitor) => {
    const project = projects.find(({ id }) => id === monitor.projectId);
    return project ? [{ ...monitor, project }] : [];
  });

/** A monitor by name in the projects (all visible ones for none), the oldest project's first. Throws NotFound. */
export async function getMonitor(
  ctx: Context,
  input: { projectSlugs: readonly string[]; slug: string },
): Promise<ProjectMonitor> {
  requireRight(ctx, 'event:read');
  const projects = await selectProjects(ctx, input.projectSlugs);
  const scope = eventScope(ctx, projects);
  const monitors = withProjects(await ctx.stores.telemetry.findMonitors(scope, input.slug), projects);
  const [monitor] = [...monitors].sort((a, b) => a.projectId - b.projectId);
  if (!monitor) {
    throw notFound(
      `Organization ${ctx.organization.slug} has no monitor "${input.slug.slice(0, 80)}" with check-ins`,
    );
  }
  return monitor;
}

/** Check-ins of a project, of one of its monitors or of all, the last begun first. */
export async function listCheckIns(
  ctx: Context,
  input: {
    projectSlug: string;
    monitorSlug: string | null;
    cursor: string | null;
    limit: number;
    range?: Range | null;
  },
): Promise<{ rows: readonly CheckInSummary[]; nextCursor: string | null }> {
  requireRight(ctx, 'event:read');
  checkLimit(input.limit);
  const range = input.range ?? null;
  if (range) checkRange(range);
  const before = decodeCursor(input.cursor, TELEMETRY_PLACE);
  const project = await selectProject(ctx, input.projectSlug);
  const { limit, monitorSlug } = input;
  const { rows, next } = await ctx.stores.telemetry.listCheckIns(eventScope(ctx, [project.id]), {
    monitorSlug,
    limit,
    before,
    range,
  });
  return { rows: rows.map(withDuration), nextCursor: next && encodeCursor(next) };
}

/** A check-in that ended without saying how long it took, took as long as its updates are apart. */
const withDuration = (checkIn: CheckInSummary): CheckInSummary =>
  checkIn.durationMs !== null || checkIn.status === 'in_progress' || checkIn.updatedAt === checkIn.startedAt
    ? checkIn
    : { ...checkIn, durationMs: checkIn.updatedAt - checkIn.startedAt };
