import { type Kysely, sql } from 'kysely';
import type { HashIndex } from '#storage/ports/regroup-plan.ts';
import type { Database } from '../schema.ts';

type HashRow = {
  hash: string;
  issue_id: number;
  times_seen: number;
  stands_for: string | null;
  successor: string | null;
  earlier: string | null;
};

/**
 * All hashes of the issues that the given ones lead to, with what a change has decided about them; what its rounds before
 * `round` decided (null for none) holds for their events too.
 */
export async function readHashIndex(
  db: Kysely<Database>,
  projectId: number,
  hashes: readonly string[],
  changeId: number | null,
  round: number | null,
): Promise<HashIndex> {
  const { rows } = await sql<HashRow>`
    SELECT known.hash, known.issue_id, known.times_seen, known.stands_for, noted.successor,
      CASE WHEN EXISTS (
        SELECT FROM grouping_change_pairs pair WHERE pair.change_id = ${changeId}::bigint AND pair.phase = 'apply'
          AND pair.round < ${round}::integer AND pair.from_hash = known.hash
      ) THEN coalesce(noted.successor, known.stands_for, known.hash) END AS earlier
    FROM grouping_hashes known
    LEFT JOIN grouping_change_hashes noted ON noted.change_id = ${changeId} AND noted.hash = known.hash
    WHERE known.project_id = ${projectId} AND known.issue_id IN (
      SELECT issue_id FROM grouping_hashes WHERE project_id = ${projectId} AND hash = ANY(${hashes}::text[])
    )`.execute(db);
  return {
    issueOf: new Map(rows.map((row) => [row.hash, row.issue_id])),
    counted: new Map(rows.flatMap((row) => (row.times_seen > 0 ? [[row.hash, row.times_seen]] : []))),
    standsFor: new Map(rows.flatMap((row) => (row.stands_for === null ? [] : [[row.hash, row.stands_for]]))),
    decided: mapOf(rows, (row) => row.successor ?? row.earlier),
    heirs: mapOf(rows, (row) => row.earlier),
  };
}

function mapOf(rows: readonly HashRow[], read: (row: HashRow) => string | null): Map<string, string> {
  return new Map(
    rows.flatMap((row) => {
      const value = read(row);
      return value === null ? [] : [[row.hash, value]];
    }),
  );
}
