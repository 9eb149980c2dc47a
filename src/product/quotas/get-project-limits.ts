import type { Context } from '#product/context.ts';
import { getProject } from '#product/projects/get-project.ts';
import { describeLimits, type LimitUse } from './describe-limits.ts';

/** What all keys of a project together may send. */
export async function getProjectLimits(ctx: Context, projectSlug: string): Promise<readonly LimitUse[]> {
  const project = await getProject(ctx, projectSlug);
  const quotas = await ctx.stores.ingestSettings.listQuotas(ctx.organization.id);
  return describeLimits(
    ctx,
    'project',
    project.id,
    quotas.filter(({ owner }) => owner.scope === 'project' && owner.projectId === project.id),
  );
}
