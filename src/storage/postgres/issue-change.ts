import type { ActivityType, Issue, IssueChange, IssueStatus, IssueSubstatus } from '#storage/ports/issues.ts';

export type IssueState = {
  status: IssueStatus;
  substatus: IssueSubstatus | null;
  resolvedAt: number | null;
  assigneeUserId: string | null;
};

const SUBSTATUSES_OF: Record<IssueStatus, readonly IssueSubstatus[]> = {
  unresolved: ['ongoing', 'new', 'escalating', 'regressed'],
  resolved: [],
  archived: ['archived_until_escalating', 'archived_forever'],
};

const ACTIVITY_OF: Record<IssueStatus, ActivityType> = {
  unresolved: 'set_unresolved',
  resolved: 'set_resolved',
  archived: 'set_archived',
};

/**
 * What a change makes of an issue, with one activity per thing that really changes; null when nothing does. A
 * substatus that is not given, or does not belong to the status, becomes the usual one.
 */
export function applyIssueChange(
  issue: Issue,
  change: IssueChange,
  atMs: number,
): { issue: Issue; after: IssueState; activities: readonly { type: ActivityType; data: object }[] } | null {
  const status = change.status ?? issue.status;
  const substatus = chooseSubstatus(issue, change, status);
  const before = issue.assignee?.userId ?? null;
  const assigneeUserId = change.assigneeUserId === undefined ? before : change.assigneeUserId;
  const activities: { type: ActivityType; data: object }[] = [];
  if (status !== issue.status || substatus !== issue.substatus) {
    const isAgeing = status === issue.status && substatus === 'ongoing';
    activities.push({
      type: isAgeing ? 'auto_set_ongoing' : ACTIVITY_OF[status],
      data: { substatus, before: { status: issue.status, substatus: issue.substatus } },
    });
  }
  if (assigneeUserId !== before) {
    activities.push(
      assigneeUserId === null
        ? { type: 'unassigned', data: { before } }
        : { type: 'assigned', data: { assigneeUserId, before } },
    );
  }
  if (activities.length === 0) return null;
  const resolvedAt = status === 'resolved' ? (issue.resolvedAt ?? atMs) : null;
  return { issue, after: { status, substatus, resolvedAt, assigneeUserId }, activities };
}

function chooseSubstatus(issue: Issue, change: IssueChange, status: IssueStatus): IssueSubstatus | null {
  const possible = SUBSTATUSES_OF[status];
  if (change.substatus && possible.includes(change.substatus)) return change.substatus;
  if (status === issue.status) return issue.substatus;
  return possible[0] ?? null;
}
