import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { selectProjects } from '#product/visible-projects.ts';

/**
 * Environments that the given projects (every visible one for none) have sent, newest first. Throws NotFound for a
 * project that is not visible.
 */
export async function listEnvironments(
  ctx: Context,
  projectSlugs: readonly string[],
): Promise<readonly string[]> {
  requireRight(ctx, 'event:read');
  const projects = await selectProjects(ctx, projectSlugs);
  return ctx.stores.projects.listEnvironments(
    ctx.organization.id,
    projects.map((project) => project.id),
  );
}
