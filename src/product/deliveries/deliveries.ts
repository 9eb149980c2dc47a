import { z } from 'zod';
import { notFound } from '#lib/errors.ts';
import { DAY_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { checkLimit, decodeCursor, encodeCursor } from '#product/cursor.ts';
import { getDestination } from '#product/destinations/destinations.ts';
import { inSteps } from '#product/issues/issue-transitions.ts';
import { requireRight } from '#product/permissions.ts';
import { isBoundToTeams, listVisibleProjects, visibleProjectIds } from '#product/visible-projects.ts';
import type { ListedDelivery } from './delivery.ts';
import { LOG_DAYS } from './delivery-parts.ts';

const PLACE = z.object({ createdAt: z.number().int().nonnegative(), id: z.uuid() });

/** One message of the log. */
export type DeliveryRow = Omit<ListedDelivery, 'content' | 'mentionsOthers'> & {
  /** What it said, on one line; null while that is not decided, and for who may not see all that it mentions. */
  summary: string | null;
};

/**
 * Newest first: of a destination, of a rule, or everything; tests, and what mentions projects that the actor sees. Throws
 * Invalid, and NotFound for what is not there.
 */
export async function listDeliveries(
  ctx: Context,
  input: { destinationId: number | null; ruleId: number | null; limit: number; cursor: string | null },
): Promise<{ deliveries: readonly DeliveryRow[]; nextCursor: string | null }> {
  requireRight(ctx, 'alerts:read');
  checkLimit(input.limit);
  const { destinationId, ruleId } = input;
  if (destinationId !== null) await getDestination(ctx, destinationId);
  if (ruleId !== null) await requireVisibleRule(ctx, ruleId);
  const rows = await ctx.stores.deliveries.list(
    ctx.organization.id,
    { destinationId, ruleId, seenIn: await visibleProjectIds(ctx) },
    { limit: input.limit + 1, before: decodeCursor(input.cursor, PLACE) },
  );
  const deliveries = rows.slice(0, input.limit).map(toDeliveryRow(ctx));
  const last = deliveries.at(-1);
  return {
    deliveries,
    nextCursor:
      rows.length > input.limit && last ? encodeCursor({ createdAt: last.createdAt, id: last.id }) : null,
  };
}

/** What of a message anybody may see who may see that it was sent. */
export const toDeliveryRow =
  (ctx: Context) =>
  ({ content, mentionsOthers, ...row }: ListedDelivery): DeliveryRow => ({
    ...row,
    // A message mentions any project that its destination serves, also of some whose firings are gone by now.
    summary: isBoundToTeams(ctx) || mentionsOthers ? null : summaryOf(content),
  });

function summaryOf(content: unknown): string | null {
  if (typeof content !== 'object' || content === null || !('summary' in content)) return null;
  return typeof content.summary === 'string' ? content.summary : null;
}

async function requireVisibleRule(ctx: Context, ruleId: number): Promise<void> {
  const [rule, projects] = await Promise.all([
    ctx.stores.alertRules.find(ctx.organization.id, ruleId),
    listVisibleProjects(ctx),
  ]);
  if (rule && projects.some(({ id }) => id === rule.projectId)) return;
  throw notFound(`Alert not found in ${ctx.organization.slug}: it may have been deleted, reload the list`);
}

const ROWS_MAX = 5_000;
const STEPS_MAX = 20;

/** Messages that were finished long ago leave the log. Answers how many. */
export const forgetDeliveries = (
  { deliveries }: Pick<Context['stores'], 'deliveries'>,
  nowMs: number,
): Promise<number> =>
  inSteps((limit) => deliveries.forget(nowMs - LOG_DAYS * DAY_MS, limit), {
    limit: ROWS_MAX,
    stepsMax: STEPS_MAX,
  });
