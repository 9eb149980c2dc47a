import type { EventScope, IssueEvents } from '#storage/ports/events.ts';

export const isVisible = (scope: EventScope, issue: IssueEvents): boolean =>
  scope.projectIds.includes(issue.projectId) && issue.hashes.length > 0;
