import type { Issue } from '#domain/issues/issue.ts';
import { notFound } from '#lib/errors.ts';
import { DAY_MS } from '#lib/time.ts';
import { userIdOf } from '#product/acting-user.ts';
import { type AuditedChange, audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import type { GroupingChange } from './grouping-change.ts';

const CHANGES_MAX = 20;

/** Merges, unmerges and regroups that touched the issue, newest first: as long as they can be undone. */
export async function listIssueChanges(ctx: Context, issue: Issue): Promise<readonly GroupingChange[]> {
  requireRight(ctx, 'event:read');
  return ctx.stores.regroups.listIssueChanges(ctx.organization.id, issue.id, CHANGES_MAX);
}

/** Undoes a merge, an unmerge or a regroup; newer events follow. Throws Conflict when a later change overlaps. */
export async function undoGroupingChange(ctx: Context, changeId: number): Promise<GroupingChange> {
  const change = await getVisibleChange(ctx, changeId);
  requireRight(ctx, change.kind === 'regroup' ? 'project:write' : 'event:write');
  return audited(
    ctx,
    (ctx) => ctx.stores.regroups.undo(ctx.organization.id, changeId, userIdOf(ctx), ctx.now()),
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
    throw notFound(`Grouping change ${changeId} not found`);
  }
  return change;
}

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

/** How long a change of the grouping can be undone. */
export const UNDO_DAYS = 30;
const CHANGES_PER_RUN_MAX = 1_000;

/** Lets go of what undo needs, once it is too late for that. Answers how many changes were forgotten. */
export async function forgetGroupingChanges(
  stores: Pick<Context['stores'], 'regroups' | 'regroupEvents'>,
  nowMs: number,
): Promise<number> {
  // The notes go first: a crash between leaves a change without notes, which the next run finds again.
  const old = await stores.regroups.listOld(nowMs - UNDO_DAYS * DAY_MS, CHANGES_PER_RUN_MAX);
  await stores.regroupEvents.forget(old);
  await stores.regroups.forget(old);
  return old.length;
}
