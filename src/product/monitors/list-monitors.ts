import { z } from 'zod';
import type { Context } from '#product/context.ts';
import { decodeCursor, encodeCursor } from '#product/cursor.ts';
import { checkLimit } from '#product/page-limit.ts';
import { requireRight } from '#product/permissions.ts';
import { eventScope, selectProjects } from '#product/visible-projects.ts';
import type { Project } from '#storage/ports/projects.ts';
import type { MonitorSummary } from '#storage/ports/telemetry-summaries.ts';

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
  const scope = eventScope(
    ctx,
    projects.map((project) => project.id),
  );
  // One more than the page has: it tells whether there are more.
  const monitors = await ctx.stores.telemetry.listMonitors(scope, { limit: input.limit + 1, after });
  const page = monitors.slice(0, input.limit);
  const last = page.at(-1);
  return {
    rows: withProjects(page, projects),
    nextCursor:
      last && monitors.length > input.limit
        ? encodeCursor({ slug: last.slug, projectId: last.projectId })
        : null,
  };
}

export const withProjects = (
  monitors: readonly MonitorSummary[],
  projects: readonly Project[],
): readonly ProjectMonitor[] =>
  monitors.flatMap((monitor) => {
    const project = projects.find(({ id }) => id === monitor.projectId);
    return project ? [{ ...monitor, project }] : [];
  });
