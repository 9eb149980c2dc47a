import type { Context } from '#product/context.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { findVisibleRule, requireAlertRead } from './alert-rights.ts';

/** How often a rule fired in each bucket of the range, oldest first. Throws NotFound, and Invalid for too many buckets. */
export async function countAlertFirings(
  ctx: Context,
  { ruleId, range, bucketMs }: { ruleId: number; range: Range; bucketMs: number },
): Promise<{ values: readonly number[]; total: number }> {
  requireAlertRead(ctx);
  checkRange(range, bucketMs);
  await findVisibleRule(ctx, ruleId);
  const values = await ctx.stores.alertRules.countFirings(ctx.organization.id, ruleId, range, bucketMs);
  return { values, total: values.reduce((sum, count) => sum + count, 0) };
}
