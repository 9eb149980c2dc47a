import { z } from 'zod';
import type { Issue } from '#domain/issues/issue.ts';
import { DAY_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { checkLimit, decodeCursor, encodeCursor } from '#product/cursor.ts';
import { type DeliveryRow, toDeliveryRow } from '#product/deliveries/deliveries.ts';
import { inSteps } from '#product/issues/issue-transitions.ts';
import type { Stores } from '#product/stores.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { visibleProjectIds } from '#product/visible-projects.ts';
import type { NotedFiring } from './alert-outbox.ts';
import { UNDELIVERED_MS } from './get-delivery-health.ts';
import { findVisibleRule, requireAlertRead } from './list-alert-rules.ts';

export type AlertFiringRow = {
  firing: NotedFiring;
  /** null for a metric, and for an issue that is gone. */
  issue: Issue | null;
  /** Messages that mention it, and what became of each. */
  deliveries: readonly DeliveryRow[];
};

const PLACE = z.object({ firedAt: z.number().int(), id: z.number().int() });

/**
 * What a rule found, newest first; `isUndelivered` for what failed to reach a recipient in the last 24 hours. Throws
 * NotFound, and Invalid for a cursor that none gave.
 */
export async function listAlertFirings(
  ctx: Context,
  {
    ruleId,
    isUndelivered = false,
    cursor,
    limit,
  }: { ruleId: number; isUndelivered?: boolean; cursor: string | null; limit: number },
): Promise<{ firings: readonly AlertFiringRow[]; nextCursor: string | null }> {
  requireAlertRead(ctx);
  checkLimit(limit);
  await findVisibleRule(ctx, ruleId);
  const organizationId = ctx.organization.id;
  const before = decodeCursor(cursor, PLACE);
  const found = await ctx.stores.alertRules.listFirings(organizationId, [ruleId], {
    limit: limit + 1,
    before,
    undeliveredSinceMs: isUndelivered ? ctx.now() - UNDELIVERED_MS : null,
  });
  const page = found.slice(0, limit);
  const issueIds = page.flatMap(({ issueId }) => issueId ?? []);
  const [issues, deliveries] = await Promise.all([
    ctx.stores.issues.findByIds(organizationId, [...new Set(issueIds)]),
    ctx.stores.deliveries.findByFirings(
      organizationId,
      page.map(({ id }) => id),
      await visibleProjectIds(ctx),
    ),
  ]);
  const byId = new Map(issues.map((issue) => [issue.id, issue]));
  const last = page.at(-1);
  return {
    firings: page.map((firing) => ({
      firing,
      issue: firing.issueId === null ? null : (byId.get(firing.issueId) ?? null),
      deliveries: (deliveries.get(firing.id) ?? []).map(toDeliveryRow(ctx)),
    })),
    nextCursor: found.length > limit && last ? encodeCursor({ firedAt: last.firedAt, id: last.id }) : null,
  };
}

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

export const FIRING_DAYS = 90;
const STEP_ROWS = 5_000;
const STEPS_MAX = 100;

/** Firings older than 90 days go. Answers how many. */
export const forgetAlertFirings = (
  { alertRules }: Pick<Stores, 'alertRules'>,
  nowMs: number,
): Promise<number> =>
  inSteps((limit) => alertRules.forgetFirings(nowMs - FIRING_DAYS * DAY_MS, limit), {
    limit: STEP_ROWS,
    stepsMax: STEPS_MAX,
  });
