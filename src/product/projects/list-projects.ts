import type { Context } from '#product/context.ts';
import { requireOneOf } from '#product/permissions.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import type { Project } from '#storage/ports/projects.ts';

/** By slug, ascending; internal projects last, and for the instance's owner only. */
export async function listProjects(ctx: Context): Promise<readonly Project[]> {
  requireOneOf(ctx, ['project:read', 'org:ci']);
  return listVisibleProjects(ctx);
}
