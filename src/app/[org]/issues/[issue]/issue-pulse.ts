import type { Issue } from '#domain/issues/issue.ts';

export type IssuePulse = ReturnType<typeof pulseOf>;

/** What can change on the page of an issue while it is open. `newestActivity` is what `findNewestActivity` answers. */
export const pulseOf = (issue: Issue, newestActivity: string | null) => ({
  timesSeen: issue.timesSeen,
  status: issue.status,
  /** Milliseconds; changes whenever the issue is resolved or archived differently; null for a new issue. */
  substatusAt: issue.substatusAt,
  priority: issue.priority,
  assigneeUserId: issue.assignee?.userId ?? null,
  assigneeTeamId: issue.assigneeTeam?.teamId ?? null,
  newestActivity,
});

/**
 * What a page does about it: a change of state is shown at once; new events only on demand, since they would replace
 * the event that is being read.
 */
export function comparePulse(shown: IssuePulse, now: IssuePulse): { isStateNew: boolean; newEvents: number } {
  return {
    isStateNew: STATE.some((part) => shown[part] !== now[part]),
    newEvents: Math.max(0, now.timesSeen - shown.timesSeen),
  };
}

const STATE = [
  'status',
  'substatusAt',
  'priority',
  'assigneeUserId',
  'assigneeTeamId',
  'newestActivity',
] as const;
