import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { selectProjects } from '#product/visible-projects.ts';
import type { Issue, IssueChange, IssueStatus, IssueSubstatus } from '#storage/ports/issues.ts';

export const ISSUES_PER_UPDATE_MAX = 1_000;

export type IssueUpdate = {
  issueIds: readonly number[];
  change: IssueChange;
  /** Leaves issues of other projects alone; absent for all that are visible. */
  projectSlugs?: readonly string[];
};

/**
 * Resolves, archives, reopens or assigns issues. Answers those that were found, as they were before, for undo.
 * A new status without a substatus takes its usual one: `ongoing`, `archived_until_escalating`.
 */
export async function updateIssues(ctx: Context, input: IssueUpdate): Promise<{ before: readonly Issue[] }> {
  requireRight(ctx, 'event:write');
  const issueIds = checkIds(input.issueIds);
  const { change } = input;
  checkChange(change);
  if (change.assigneeUserId) await checkAssignee(ctx, change.assigneeUserId);

  const selected = await findSelected(ctx, issueIds, input.projectSlugs ?? []);
  if (selected.length === 0) return { before: [] };
  const actorUserId = ctx.actor.kind === 'system' ? null : ctx.actor.userId;
  const before = await ctx.stores.issues.update(
    ctx.organization.id,
    selected.map((issue) => issue.id),
    change,
    actorUserId,
    ctx.now(),
  );
  return { before };
}

function checkIds(issueIds: readonly number[]): readonly number[] {
  const distinct = [...new Set(issueIds)];
  if (distinct.length > ISSUES_PER_UPDATE_MAX) {
    throw invalid(`At most ${ISSUES_PER_UPDATE_MAX} issues can be changed at once: choose fewer`, 'id');
  }
  if (!distinct.every((id) => Number.isSafeInteger(id) && id > 0)) {
    throw invalid('An issue id is a whole number', 'id');
  }
  return distinct;
}

const SUBSTATUSES: Readonly<Record<IssueStatus, readonly IssueSubstatus[]>> = {
  unresolved: ['new', 'ongoing', 'escalating', 'regressed'],
  resolved: [],
  archived: ['archived_until_escalating', 'archived_forever'],
};

function checkChange({ status, substatus, assigneeUserId }: IssueChange): void {
  if (status === undefined && assigneeUserId === undefined) {
    throw invalid(
      substatus === undefined
        ? 'Nothing to change: give a status or an assignee'
        : 'A substatus needs its status beside it',
      'status',
    );
  }
  if (status === undefined) return;
  if (!Object.hasOwn(SUBSTATUSES, status)) throw invalid(`No issue has the status "${status}"`, 'status');
  if (substatus && !SUBSTATUSES[status].includes(substatus)) {
    throw invalid(`The substatus "${substatus}" does not belong to the status "${status}"`, 'substatus');
  }
}

async function checkAssignee(ctx: Context, userId: string): Promise<void> {
  if ((await ctx.stores.accounts.findRole(ctx.organization.id, userId)) !== null) return;
  throw invalid(
    `The assignee is no member of ${ctx.organization.slug}: choose somebody who is`,
    'assignedTo',
  );
}

async function findSelected(
  ctx: Context,
  issueIds: readonly number[],
  projectSlugs: readonly string[],
): Promise<readonly Issue[]> {
  if (issueIds.length === 0) return [];
  const [issues, projects] = await Promise.all([
    ctx.stores.issues.findByIds(ctx.organization.id, issueIds),
    selectProjects(ctx, projectSlugs),
  ]);
  const projectIds = new Set(projects.map((project) => project.id));
  return issues.filter((issue) => projectIds.has(issue.projectId));
}
