import type { AlertFilter } from '#domain/alerts/alert-rule.ts';
import { ISSUE_PRIORITIES, type Issue } from '#domain/issues/issue.ts';
import { MINUTE_MS } from '#lib/time.ts';

/** What of an issue its filters ask. */
export type AskedIssue = Pick<Issue, 'firstSeen' | 'timesSeen' | 'assignee' | 'assigneeTeam' | 'priority'>;

/** Whether an issue fits a filter; null for filters that something else must answer. */
export function answerByIssue(filter: AlertFilter, issue: AskedIssue, nowMs: number): boolean | null {
  switch (filter.kind) {
    case 'age': {
      const ageMs = nowMs - issue.firstSeen;
      const limitMs = filter.minutes * MINUTE_MS;
      return filter.compare === 'older' ? ageMs > limitMs : ageMs < limitMs;
    }
    case 'times_seen':
      return issue.timesSeen >= filter.atLeast;
    case 'assigned':
      if (filter.to.kind === 'user') return issue.assignee?.userId === filter.to.userId;
      if (filter.to.kind === 'team') return issue.assigneeTeam?.teamId === filter.to.teamId;
      return issue.assignee === null && issue.assigneeTeam === null;
    case 'category':
      // Feedback makes no issues: what there is are errors.
      return filter.category === 'error';
    case 'priority':
      // The first one is the highest.
      return ISSUE_PRIORITIES.indexOf(issue.priority) <= ISSUE_PRIORITIES.indexOf(filter.atLeast);
    default:
      return null;
  }
}
