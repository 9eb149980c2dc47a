import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { describeLimits, type LimitUse } from './describe-limits.ts';

/** What all projects of the organization together may send. */
export async function getOrganizationLimits(ctx: Context): Promise<readonly LimitUse[]> {
  requireRight(ctx, 'org:read');
  const quotas = await ctx.stores.ingestSettings.listQuotas(ctx.organization.id);
  return describeLimits(
    ctx,
    'organization',
    ctx.organization.id,
    quotas.filter(({ owner }) => owner.scope === 'organization'),
  );
}
