import { audited, organizationTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { checkLimits, type Limit } from './check-limits.ts';
import { describeLimits, type LimitUse } from './describe-limits.ts';

/** Replaces all limits of the organization; edges know them within seconds. Throws Invalid, naming the kind. */
export async function updateOrganizationLimits(
  ctx: Context,
  limits: readonly Limit[],
): Promise<readonly LimitUse[]> {
  requireRight(ctx, 'org:write');
  const checked = checkLimits(limits);
  const stored = await audited(
    ctx,
    (ctx) => ctx.stores.ingestSettings.replaceQuotas(ctx.organization.id, { scope: 'organization' }, checked),
    () => ({ action: 'org.quotas.edit', target: organizationTarget(ctx), data: { limits } }),
  );
  return describeLimits(ctx, 'organization', ctx.organization.id, stored);
}
