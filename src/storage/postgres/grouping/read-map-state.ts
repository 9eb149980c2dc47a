import { type Kysely, sql } from 'kysely';
import type { MapState } from '#storage/ports/regroup-plan.ts';
import type { Database } from '../schema.ts';

type MapRow = {
  hash: string;
  issue_id: number;
  is_counted: boolean;
  stands_for: string | null;
  successor: string | null;
};

/** All hashes of the issues that the given ones lead to, with what earlier rounds of a change decided about them. */
export async function readMapState(
  db: Kysely<Database>,
  projectId: number,
  hashes: readonly string[],
  changeId: number | null,
): Promise<MapState> {
  const { rows } = await sql<MapRow>`
    SELECT known.hash, known.issue_id, known.times_seen > 0 AS is_counted, known.stands_for, noted.successor
    FROM grouping_hashes known
    LEFT JOIN grouping_change_hashes noted ON noted.change_id = ${changeId} AND noted.hash = known.hash
    WHERE known.project_id = ${projectId} AND known.issue_id IN (
      SELECT issue_id FROM grouping_hashes WHERE project_id = ${projectId} AND hash = ANY(${hashes}::text[])
    )`.execute(db);
  return {
    issueOf: new Map(rows.map((row) => [row.hash, row.issue_id])),
    counted: new Set(rows.flatMap((row) => (row.is_counted ? [row.hash] : []))),
    standsFor: new Map(rows.flatMap((row) => (row.stands_for === null ? [] : [[row.hash, row.stands_for]]))),
    decided: new Map(rows.flatMap((row) => (row.successor === null ? [] : [[row.hash, row.successor]]))),
  };
}
