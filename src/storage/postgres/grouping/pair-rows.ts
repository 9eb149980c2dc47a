import { type Kysely, sql } from 'kysely';
import type { HashPair } from '#storage/ports/regroup-plan.ts';
import type { Database } from '../schema.ts';

type PairRow = {
  from_hash: string;
  to_hash: string;
  events: number;
  first_seen: Date;
  last_seen: Date;
  title: string;
};

export async function listPairs(
  db: Kysely<Database>,
  changeId: number,
  phase: 'apply' | 'undo',
  round: number,
): Promise<readonly HashPair[]> {
  const { rows } = await sql<PairRow>`
    SELECT * FROM grouping_change_pairs WHERE change_id = ${changeId} AND phase = ${phase} AND round = ${round}
    ORDER BY from_hash, to_hash`.execute(db);
  return rows.map(toPair);
}

/**
 * Pairs whose events get another hash row by row; all others only lead elsewhere. What the hash index does not know (any more)
 * is of an issue that was deleted, and goes with it. Of uploads that were applied, only what was decided: a hash that
 * digest counted a moment later keeps its events until the next time.
 */
export async function listSplits(
  db: Kysely<Database>,
  changeId: number,
  phase: 'apply' | 'undo',
  round: number | null,
): Promise<readonly HashPair[]> {
  const { rows } = await sql<PairRow>`
    SELECT pair.* FROM grouping_change_pairs pair
    LEFT JOIN grouping_change_hashes noted ON noted.change_id = pair.change_id AND noted.hash = pair.from_hash
    JOIN grouping_changes change ON change.id = pair.change_id
    JOIN grouping_hashes known ON known.project_id = change.project_id AND known.hash = pair.from_hash
    WHERE pair.change_id = ${changeId} AND pair.phase = ${phase} AND pair.from_hash <> pair.to_hash
      AND (change.kind <> 'reprocess' OR noted.before_issue_id IS NOT NULL)
      ${round === null ? sql`` : sql`AND pair.round = ${round}`}
      AND coalesce(${phase === 'undo' ? sql`` : sql`noted.successor,`} known.stands_for, pair.from_hash) <> pair.to_hash
    ORDER BY pair.from_hash, pair.to_hash`.execute(db);
  return rows.map(toPair);
}

const toPair = (row: PairRow): HashPair => ({
  from: row.from_hash,
  to: row.to_hash,
  events: row.events,
  firstSeen: row.first_seen.getTime(),
  lastSeen: row.last_seen.getTime(),
  title: row.title,
});
