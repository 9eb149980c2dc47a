import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getVisibleChange, regroupTarget } from './undo-grouping-change.ts';

/** Gives up a regroup while no issue has changed. Throws Conflict afterwards: then it can be undone. */
export async function cancelRegroup(ctx: Context, changeId: number): Promise<void> {
  requireRight(ctx, 'project:write');
  const { projectId } = await getVisibleChange(ctx, changeId);
  await audited(
    ctx,
    (ctx) => ctx.stores.regroups.cancel(ctx.organization.id, changeId, ctx.now()),
    () => ({ action: 'project.grouping.cancel', target: regroupTarget(projectId), data: { changeId } }),
  );
}
