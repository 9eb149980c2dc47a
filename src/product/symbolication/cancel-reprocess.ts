import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { getVisibleChange } from '#product/grouping/undo-grouping-change.ts';
import { requireRight } from '#product/permissions.ts';

/**
 * Gives up a run while no issue has changed. Throws Conflict afterwards, NotFound for what is no such run. Events that
 * show their source already go on doing so.
 */
export async function cancelReprocess(ctx: Context, runId: number): Promise<void> {
  requireRight(ctx, 'event:write');
  const change = await getVisibleChange(ctx, runId);
  if (change.kind !== 'reprocess') throw notFound(`There is no run with the number ${runId}`);
  await ctx.stores.regroups.cancel(ctx.organization.id, runId, ctx.now());
}
