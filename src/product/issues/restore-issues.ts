import type { IssueRestoration } from '#domain/issues/issue.ts';
import { invalid } from '#lib/errors.ts';
import { userIdOf } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { checkStatus } from './check-status.ts';
import { selectIssues } from './select-issues.ts';
import { checkAssignee } from './update-issues.ts';

/**
 * Undoes: puts one part of each issue back to what it was, and leaves alone what was changed besides. Issues that are
 * not visible are left out. Throws Invalid for a state that no issue can be in, and for an assignee who is none here.
 */
export async function restoreIssues(ctx: Context, restoration: IssueRestoration): Promise<void> {
  requireRight(ctx, 'event:write');
  if (restoration.part === 'status') restoration.entries.forEach(checkStatus);
  if (restoration.part === 'assignee') await checkAssignees(ctx, restoration.entries);
  const issues = await selectIssues(
    ctx,
    restoration.entries.map(({ issueId }) => issueId),
  );
  const visible = new Set(issues.map(({ id }) => id));
  if (visible.size === 0) return;
  await ctx.stores.issues.restore(
    ctx.organization.id,
    keepVisible(restoration, visible),
    userIdOf(ctx),
    ctx.now(),
  );
}

type FormerAssignee = Extract<IssueRestoration, { part: 'assignee' }>['entries'][number];

async function checkAssignees(ctx: Context, entries: readonly FormerAssignee[]): Promise<void> {
  const distinct = new Map(
    entries.map((entry) => [`${entry.assigneeUserId} ${entry.assigneeTeamId}`, entry]),
  );
  for (const entry of distinct.values()) {
    if (entry.assigneeUserId !== null && entry.assigneeTeamId !== null) {
      throw invalid('An issue belongs to a person or to a team, not to both', 'assignedTo');
    }
    await checkAssignee(ctx, entry);
  }
}

function keepVisible(restoration: IssueRestoration, visible: ReadonlySet<number>): IssueRestoration {
  const isVisible = ({ issueId }: { issueId: number }) => visible.has(issueId);
  switch (restoration.part) {
    case 'status':
      return { part: 'status', entries: restoration.entries.filter(isVisible) };
    case 'priority':
      return { part: 'priority', entries: restoration.entries.filter(isVisible) };
    case 'assignee':
      return { part: 'assignee', entries: restoration.entries.filter(isVisible) };
  }
}
