import type { IssueStatus, IssueSubstatus } from '#storage/ports/issues.ts';

/** What can change of an issue while somebody reads its page. */
export type IssuePulse = {
  timesSeen: number;
  status: IssueStatus;
  substatus: IssueSubstatus | null;
  assigneeUserId: string | null;
};

/**
 * What a page does about it: a change of state is shown at once; new events only on demand, since they would replace
 * the event that is being read.
 */
export function comparePulse(shown: IssuePulse, now: IssuePulse): { isStateNew: boolean; newEvents: number } {
  return {
    isStateNew:
      shown.status !== now.status ||
      shown.substatus !== now.substatus ||
      shown.assigneeUserId !== now.assigneeUserId,
    newEvents: Math.max(0, now.timesSeen - shown.timesSeen),
  };
}
