import type { EventScope, IssueEvents } from '#storage/ports/events.ts';
import { isVisible, listParam, type SqlPart, toNumber } from './query-params.ts';

/** Rows of the issues, in one of two tables: the index holds hashes as numbers. */
export type IssuePlaces = {
  /** Which rows. */
  where: SqlPart;
  /** Of which issue a row is: its place in the list, beginning with 1. */
  issueOf: SqlPart;
};

/** null when none of the issues can be seen, or has a hash. */
export function placesOf(
  scope: EventScope,
  issues: readonly IssueEvents[],
  table: 'events' | 'event_index',
): IssuePlaces | null {
  const places = issues.flatMap((issue, index) =>
    isVisible(scope, issue) ? issue.hashes.map((hash) => ({ index, projectId: issue.projectId, hash })) : [],
  );
  if (places.length === 0) return null;
  const isIndex = table === 'event_index';
  const keyOf = (hash: string) => (isIndex ? toNumber(hash) : hash);
  const projects = listParam('projects', 'UInt64', [...new Set(places.map(({ projectId }) => projectId))]);
  const hashes = listParam('hashes', isIndex ? 'UInt128' : 'FixedString(32)', [
    ...new Set(places.map(({ hash }) => keyOf(hash))),
  ]);
  const names = listParam(
    'names',
    'String',
    places.map(({ projectId, hash }) => `${projectId}:${keyOf(hash)}`),
  );
  const indexes = listParam(
    'indexes',
    'UInt32',
    places.map(({ index }) => index + 1),
  );
  return {
    where: {
      sql: `organization_id = {organizationId:UInt64} AND project_id IN ${projects.sql}
        AND grouping_hash IN ${hashes.sql}`,
      params: { organizationId: scope.organizationId, ...projects.params, ...hashes.params },
    },
    issueOf: {
      sql: `transform(concat(toString(project_id), ':', toString(grouping_hash)), ${names.sql}, ${indexes.sql},
        toUInt32(0))`,
      params: { ...names.params, ...indexes.params },
    },
  };
}
