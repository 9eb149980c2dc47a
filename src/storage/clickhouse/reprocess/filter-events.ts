import type { ReprocessFilter } from '#storage/ports/reprocess-events.ts';
import { listParam, type SqlPart } from '../list-param.ts';

/** What symbolication writes into a frame that it could not take to its source. */
const PROBLEM = '"source_problem"';

/**
 * Of `events`: those whose body is kept and that the filter is about. Rows that a run replaced, and that nothing moved
 * since, may be of one that was cancelled: they show no problem any more, and have their old hash still.
 */
export function filterEvents({ releases, hashes, withProblemOnly }: ReprocessFilter): SqlPart {
  const parts: SqlPart[] = [{ sql: "payload != ''", params: {} }];
  if (releases) {
    const list = listParam('releases', 'String', releases);
    parts.push({ sql: `release IN ${list.sql}`, params: list.params });
  }
  if (hashes) {
    const list = listParam('hashes', 'FixedString(32)', hashes);
    parts.push({ sql: `grouping_hash IN ${list.sql}`, params: list.params });
  }
  if (withProblemOnly)
    parts.push({ sql: `(position(payload, '${PROBLEM}') > 0 OR reprocess_run != 0)`, params: {} });
  return {
    sql: parts.map(({ sql }) => sql).join(' AND '),
    params: Object.assign({}, ...parts.map(({ params }) => params)) as SqlPart['params'],
  };
}
