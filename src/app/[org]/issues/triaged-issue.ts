import type { Issue } from '#domain/issues/issue.ts';
import { packageScopeOf } from '#domain/issues/package-scope.ts';

/** What triage shows and changes of an issue; no more of it goes to the browser. */
export const triagedIssueOf = (issue: Issue) => {
  const { id, shortId, status, substatus, resolution, archive, priority, assignee } = issue;
  return {
    id,
    shortId,
    ...packageScopeOf(issue),
    status,
    substatus,
    resolution,
    archive,
    priority,
    assignee: assignee && { userId: assignee.userId, name: assignee.name },
  };
};
export type TriagedIssue = ReturnType<typeof triagedIssueOf>;
