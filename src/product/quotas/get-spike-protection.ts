import type { Context } from '#product/context.ts';
import { getProject } from '#product/projects/get-project.ts';
import { projectNotFound } from '#product/visible-projects.ts';
import type { SpikeSettings } from '#protocol/ingest-settings.ts';

export async function getSpikeProtection(ctx: Context, projectSlug: string): Promise<SpikeSettings> {
  const project = await getProject(ctx, projectSlug);
  const settings = await ctx.stores.ingestSettings.findProject(ctx.organization.id, project.id);
  if (!settings) throw projectNotFound(ctx, projectSlug);
  return settings.spike;
}
