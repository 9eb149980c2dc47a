import { notFound } from '#lib/errors.ts';
import { type AuditedChange, audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import type { GroupingChange } from '#storage/ports/regroup.ts';
import { actorId } from './actor-id.ts';

/**
 * Takes back a merge, an unmerge, or rules that were applied to history: the former issues are there again with all that
 * was theirs. Events that came since go where the former index, or the former rules, lead them. Throws Conflict when a
 * later change touched the same events.
 */
export async function undoGroupingChange(ctx: Context, changeId: number): Promise<GroupingChange> {
  const change = await getVisibleChange(ctx, changeId);
  requireRight(ctx, change.kind === 'regroup' ? 'project:write' : 'event:write');
  return audited(
    ctx,
    (ctx) => ctx.stores.regroups.undo(ctx.organization.id, changeId, actorId(ctx), ctx.now()),
    () =>
      change.kind === 'regroup'
        ? {
            action: 'project.grouping.undo',
            target: regroupTarget(change.projectId),
            data: { changeId },
          }
        : null,
  );
}

/** The project whose events were regrouped. */
export const regroupTarget = (projectId: number): AuditedChange['target'] => ({
  kind: 'project',
  id: projectId,
  name: `project ${projectId}`,
});

/** Throws NotFound, also for changes of projects that the actor may not know of. */
export async function getVisibleChange(ctx: Context, changeId: number): Promise<GroupingChange> {
  const [change, projects] = await Promise.all([
    Number.isSafeInteger(changeId) ? ctx.stores.regroups.findChange(ctx.organization.id, changeId) : null,
    listVisibleProjects(ctx),
  ]);
  if (!change || !projects.some(({ id }) => id === change.projectId)) {
    throw notFound(`There is no change of the grouping with the number ${changeId}`);
  }
  return change;
}
