import type { Issue, IssuePriority, IssueStatus } from '#domain/issues/issue.ts';

/** What can change on the page of an issue while it is open. */
export type IssuePulse = {
  timesSeen: number;
  status: IssueStatus;
  /** Changes with every change of how it is resolved or archived (milliseconds); null for a new issue. */
  substatusAt: number | null;
  priority: IssuePriority;
  assigneeUserId: string | null;
  assigneeTeamId: number | null;
  /** Changes with every comment and whatever else is noted of the issue; null before anything was. */
  newestActivityId: number | null;
};

export const pulseOf = (issue: Issue, newestActivityId: number | null): IssuePulse => ({
  timesSeen: issue.timesSeen,
  status: issue.status,
  substatusAt: issue.substatusAt,
  priority: issue.priority,
  assigneeUserId: issue.assignee?.userId ?? null,
  assigneeTeamId: issue.assigneeTeam?.teamId ?? null,
  newestActivityId,
});

/**
 * What a page does about it: a change of state is shown at once; new events only on demand, since they would replace
 * the event that is being read.
 */
export function comparePulse(shown: IssuePulse, now: IssuePulse): { isStateNew: boolean; newEvents: number } {
  return {
    isStateNew:
      shown.status !== now.status ||
      shown.substatusAt !== now.substatusAt ||
      shown.priority !== now.priority ||
      shown.assigneeUserId !== now.assigneeUserId ||
      shown.assigneeTeamId !== now.assigneeTeamId ||
      shown.newestActivityId !== now.newestActivityId,
    newEvents: Math.max(0, now.timesSeen - shown.timesSeen),
  };
}
