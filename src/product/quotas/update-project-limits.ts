import { audited, projectTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getProject } from '#product/projects/get-project.ts';
import { checkLimits, type Limit } from './check-limits.ts';
import { describeLimits, type LimitUse } from './describe-limits.ts';

/** Replaces all limits of a project; edges know them within seconds. Throws Invalid, naming the kind, and NotFound. */
export async function updateProjectLimits(
  ctx: Context,
  input: { projectSlug: string; limits: readonly Limit[] },
): Promise<readonly LimitUse[]> {
  requireRight(ctx, 'project:write');
  const project = await getProject(ctx, input.projectSlug);
  const checked = checkLimits(input.limits);
  const owner = { scope: 'project', projectId: project.id } as const;
  const stored = await audited(
    ctx,
    (ctx) => ctx.stores.ingestSettings.replaceQuotas(ctx.organization.id, owner, checked),
    () => ({ action: 'project.quotas.edit', target: projectTarget(project), data: { limits: input.limits } }),
  );
  return describeLimits(ctx, 'project', project.id, stored);
}
