import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { eventScope, selectProjects } from '#product/visible-projects.ts';
import { type ProjectMonitor, withProjects } from './list-monitors.ts';

/**
 * By its name, in any of the projects, in every visible one for none; where several projects have one, the oldest
 * project's. Throws NotFound when none ever checked in.
 */
export async function getMonitor(
  ctx: Context,
  input: { projectSlugs: readonly string[]; slug: string },
): Promise<ProjectMonitor> {
  requireRight(ctx, 'event:read');
  const projects = await selectProjects(ctx, input.projectSlugs);
  const scope = eventScope(
    ctx,
    projects.map((project) => project.id),
  );
  const monitors = withProjects(await ctx.stores.telemetry.findMonitors(scope, input.slug), projects);
  const [monitor] = [...monitors].sort((a, b) => a.projectId - b.projectId);
  if (!monitor) {
    throw notFound(
      `The organization ${ctx.organization.slug} has no monitor "${input.slug.slice(0, 80)}" that has checked in`,
    );
  }
  return monitor;
}
