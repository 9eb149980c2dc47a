import {
  ISSUE_PRIORITIES,
  ISSUE_STATUSES,
  type Issue,
  type IssueChange,
  isSubstatusOf,
} from '#domain/issues/issue.ts';
import { invalid } from '#lib/errors.ts';
import { userIdOf } from '#product/acting-user.ts';
import { resolveInKnownReleases } from '#product/commits/resolve-in-known-releases.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { checkArchiveCondition, checkResolution } from './check-status.ts';
import { selectIssues } from './select-issues.ts';

export type IssueUpdate = {
  issueIds: readonly number[];
  change: IssueChange;
  /** Leaves issues of other projects alone; absent for all that are visible. */
  projectSlugs?: readonly string[];
};

/**
 * Resolves, archives, reopens, assigns issues or sets their priority. Answers those that were found, as they were
 * before, for undo. A new status without a substatus takes its usual one: `ongoing`, `archived_until_escalating`.
 * Throws Invalid, among others for a release that the project of an issue has not seen.
 */
export async function updateIssues(ctx: Context, input: IssueUpdate): Promise<{ before: readonly Issue[] }> {
  requireRight(ctx, 'event:write');
  const { change } = input;
  checkChange(change, ctx.now());
  const selected = await selectIssues(ctx, input.issueIds, input.projectSlugs);
  await checkAssignee(ctx, change);
  if (selected.length === 0) return { before: [] };
  const before = await ctx.stores.issues.update(
    ctx.organization.id,
    selected.map((issue) => issue.id),
    change,
    userIdOf(ctx),
    ctx.now(),
  );
  if (change.resolution?.kind === 'commit') await resolveInKnownReleases(ctx, change.resolution);
  if (change.assigneeUserId) {
    const issueIds = before.map((issue) => issue.id);
    await ctx.stores.issueUserState.subscribe(
      ctx.organization.id,
      issueIds,
      [change.assigneeUserId],
      'assigned',
    );
  }
  return { before };
}

function checkChange(change: IssueChange, nowMs: number): void {
  const { status, substatus, resolution, archive, priority, assigneeUserId, assigneeTeamId } = change;
  if ([status, priority, assigneeUserId, assigneeTeamId].every((part) => part === undefined)) {
    throw invalid(
      substatus === undefined
        ? 'Nothing to change: give a status, a priority or an assignee'
        : 'A substatus needs its status beside it',
      'status',
    );
  }
  if (priority !== undefined && !ISSUE_PRIORITIES.includes(priority)) {
    throw invalid(`No priority is "${priority}": choose among ${ISSUE_PRIORITIES.join(', ')}`, 'priority');
  }
  if (resolution && status !== 'resolved') {
    throw invalid('How it is resolved needs the status "resolved" beside it', 'statusDetails');
  }
  if (archive && status !== 'archived') {
    throw invalid('Until when it is archived needs the status "ignored" beside it', 'statusDetails');
  }
  if (resolution) checkResolution(resolution);
  if (archive) checkArchiveCondition(archive, nowMs);
  if (status === undefined) return;
  if (!ISSUE_STATUSES.includes(status)) throw invalid(`No issue has the status "${status}"`, 'status');
  if (substatus && !isSubstatusOf(status, substatus)) {
    throw invalid(`The substatus "${substatus}" does not belong to the status "${status}"`, 'substatus');
  }
  if (substatus === 'archived_until_condition_met' && !archive) {
    throw invalid('Say in statusDetails which condition is to be met', 'statusDetails');
  }
}

/** Throws Invalid for somebody who is no member, and for a team of another organization. */
export async function checkAssignee(
  ctx: Context,
  { assigneeUserId, assigneeTeamId }: Pick<IssueChange, 'assigneeUserId' | 'assigneeTeamId'>,
): Promise<void> {
  if (assigneeUserId && (await ctx.stores.accounts.findRole(ctx.organization.id, assigneeUserId)) === null) {
    throw invalid(
      `The assignee is no member of ${ctx.organization.slug}: choose somebody who is`,
      'assignedTo',
    );
  }
  if (assigneeTeamId === undefined || assigneeTeamId === null) return;
  const teams = await ctx.stores.teams.list(ctx.organization.id);
  if (!teams.some(({ id }) => id === assigneeTeamId)) {
    throw invalid(`${ctx.organization.slug} has no such team: choose one that it has`, 'assignedTo');
  }
}
