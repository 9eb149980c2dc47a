import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getProject } from '#product/projects/get-project.ts';
import { projectNotFound } from '#product/visible-projects.ts';
import type { FilterSettings } from '#protocol/ingest-settings.ts';

/** Throws NotFound when the organization has no such project that the actor may see. */
export async function getInboundFilters(ctx: Context, projectSlug: string): Promise<FilterSettings> {
  requireRight(ctx, 'project:read');
  const project = await getProject(ctx, projectSlug);
  const settings = await ctx.stores.ingestSettings.findProject(ctx.organization.id, project.id);
  if (!settings) throw projectNotFound(ctx, projectSlug);
  return settings.filters;
}
