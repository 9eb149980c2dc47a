import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getProject } from '#product/projects/get-project.ts';
import { projectNotFound } from '#product/visible-projects.ts';
import type { StoredOwnership } from '#storage/ports/ownership.ts';

/** Who owns what of a project. Throws NotFound. */
export async function getOwnership(ctx: Context, projectSlug: string): Promise<StoredOwnership> {
  requireRight(ctx, 'project:read');
  const project = await getProject(ctx, projectSlug);
  const ownership = await ctx.stores.ownership.find(ctx.organization.id, project.id);
  if (!ownership) throw projectNotFound(ctx, projectSlug);
  return ownership;
}
