import type { EventScope, IssueEvents } from '#storage/ports/events.ts';
import { listParam, type SqlPart } from './list-param.ts';

export const isVisible = (scope: EventScope, issue: IssueEvents): boolean =>
  scope.projectIds.includes(issue.projectId) && issue.hashes.length > 0;

/** Rows of `events` of the organization and the projects that may be seen. */
export function inScope(scope: EventScope): SqlPart {
  const projectIds = listParam('projectIds', 'UInt64', scope.projectIds);
  return {
    sql: `organization_id = {organizationId:UInt64} AND project_id IN ${projectIds.sql}`,
    params: { organizationId: scope.organizationId, ...projectIds.params },
  };
}

/** Rows from `fromMs` to before `toMs`. */
export const IN_RANGE = `occurred_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
  AND occurred_at < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')`;
