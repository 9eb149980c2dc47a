import { invalid } from '#lib/errors.ts';
import { audited, organizationTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import {
  RETENTION_DAYS_MAX,
  RETENTION_DAYS_MIN,
  RETENTION_GROUPS,
  type RetentionDays,
  type RetentionGroup,
} from '#protocol/retention.ts';
import { requireInstanceOwner } from './require-instance-owner.ts';

/**
 * Decides how long kinds of data are kept; null returns a kind to the instance's default. Takes effect within a minute.
 * Throws Invalid, naming the kind, for anything but whole days from 1 to 3,650.
 */
export async function updateRetentionDays(
  ctx: Context,
  change: Partial<Record<RetentionGroup, number | null>>,
): Promise<RetentionDays> {
  requireInstanceOwner(ctx);
  for (const group of RETENTION_GROUPS) {
    const days = change[group];
    if (days === undefined || days === null) continue;
    if (!Number.isInteger(days) || days < RETENTION_DAYS_MIN || days > RETENTION_DAYS_MAX) {
      throw invalid(
        `Keep it for ${RETENTION_DAYS_MIN} to ${RETENTION_DAYS_MAX.toLocaleString('en')} whole days`,
        group,
      );
    }
  }
  return audited(
    ctx,
    (ctx) => ctx.stores.retention.saveDays(change),
    () => ({ action: 'org.retention.edit', target: organizationTarget(ctx), data: { ...change } }),
  );
}
