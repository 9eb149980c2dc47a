import type { EventScope } from '#storage/ports/events.ts';
import { listParam, type SqlPart } from '../list-param.ts';

/** The condition that every read begins with. */
export function inScope(scope: EventScope): SqlPart {
  const projectIds = listParam('projectIds', 'UInt64', scope.projectIds);
  return {
    sql: `organization_id = {organizationId:UInt64} AND project_id IN ${projectIds.sql}`,
    params: { organizationId: scope.organizationId, ...projectIds.params },
  };
}

/** Both conditions. */
export const both = (one: SqlPart, other: SqlPart): SqlPart => ({
  sql: `${one.sql} AND ${other.sql}`,
  params: { ...one.params, ...other.params },
});

/** Sees nothing. */
export const isEmpty = (scope: EventScope): boolean => scope.projectIds.length === 0;
