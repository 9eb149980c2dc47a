import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getVisibleChange } from './undo-grouping-change.ts';

/** Gives up a regroup while no issue has changed. Throws Conflict afterwards: then it can be undone. */
export async function cancelRegroup(ctx: Context, changeId: number): Promise<void> {
  requireRight(ctx, 'project:write');
  await getVisibleChange(ctx, changeId);
  await ctx.stores.regroups.cancel(ctx.organization.id, changeId, ctx.now());
}
