import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '#storage/sql/schema.ts';
import type { HashIndex } from '../grouping-change.ts';

export type HashMove = { hash: string; issueId: number };

/** Points hashes to other issues and notes their former state, once per change. Adds unknown hashes. */
export async function moveHashes(
  transaction: Transaction<Database>,
  change: { id: number; projectId: number },
  moves: readonly HashMove[],
): Promise<void> {
  if (moves.length === 0) return;
  const hashes = moves.map(({ hash }) => hash);
  const issueIds = moves.map(({ issueId }) => issueId);
  const wanted = sql`unnest(${hashes}::text[], ${issueIds}::bigint[]) AS wanted (hash, issue_id)`;
  await sql`
    INSERT INTO grouping_change_hashes (change_id, hash, before_issue_id, after_issue_id, times_seen, first_seen,
      last_seen, stands_for)
    SELECT ${change.id}, wanted.hash, known.issue_id, wanted.issue_id, coalesce(known.times_seen, 0), known.first_seen,
      known.last_seen, known.stands_for
    FROM ${wanted}
    LEFT JOIN grouping_hashes known ON known.project_id = ${change.projectId} AND known.hash = wanted.hash
    ON CONFLICT (change_id, hash) DO UPDATE SET after_issue_id = excluded.after_issue_id
  `.execute(transaction);
  await sql`
    INSERT INTO grouping_hashes (project_id, hash, issue_id)
    SELECT ${change.projectId}, hash, issue_id FROM ${wanted}
    ON CONFLICT (project_id, hash) DO UPDATE SET issue_id = excluded.issue_id`.execute(transaction);
}

/** Notes hashes whose counters change, without leading them elsewhere. */
export async function noteHashes(
  transaction: Transaction<Database>,
  change: { id: number; projectId: number },
  hashes: readonly string[],
): Promise<void> {
  await sql`
    INSERT INTO grouping_change_hashes (change_id, hash, before_issue_id, after_issue_id, times_seen, first_seen,
      last_seen, stands_for)
    SELECT ${change.id}, hash, issue_id, issue_id, times_seen, first_seen, last_seen, stands_for FROM grouping_hashes
    WHERE project_id = ${change.projectId} AND hash = ANY(${hashes}::text[])
    ON CONFLICT DO NOTHING`.execute(transaction);
}

export type Shift = { from: string; to: string; events: number; firstSeen: number; lastSeen: number };

/**
 * Counts events under another hash. Additions and subtractions only, so that what digest counts meanwhile stays counted,
 * in either order. First and last of a hash that loses events are what `rest` says of those that it keeps, when these
 * are all that were ever counted; else they stay.
 */
export async function shiftCounts(
  transaction: Transaction<Database>,
  projectId: number,
  shifts: readonly Shift[],
  rest: ReadonlyMap<string, { events: number; firstSeen: number; lastSeen: number }>,
): Promise<void> {
  if (shifts.length === 0) return;
  const sums = new Map<
    string,
    { hash: string; events: number; first_seen: Date | null; last_seen: Date | null }
  >();
  const sumOf = (hash: string) => {
    const sum = sums.get(hash) ?? { hash, events: 0, first_seen: null, last_seen: null };
    sums.set(hash, sum);
    return sum;
  };
  for (const { from, to, events, firstSeen, lastSeen } of shifts) {
    sumOf(from).events -= events;
    const sum = sumOf(to);
    sum.events += events;
    if (!sum.first_seen || firstSeen < sum.first_seen.getTime()) sum.first_seen = new Date(firstSeen);
    if (!sum.last_seen || lastSeen > sum.last_seen.getTime()) sum.last_seen = new Date(lastSeen);
  }
  await sql`
    UPDATE grouping_hashes SET times_seen = times_seen + sum.events,
      first_seen = least(grouping_hashes.first_seen, sum.first_seen),
      last_seen = greatest(grouping_hashes.last_seen, sum.last_seen)
    FROM json_to_recordset(${JSON.stringify([...sums.values()])}::json) AS sum (hash text, events bigint,
      first_seen timestamptz, last_seen timestamptz)
    WHERE grouping_hashes.project_id = ${projectId} AND grouping_hashes.hash = sum.hash`.execute(transaction);
  const kept = [...rest].map(([hash, { events, firstSeen, lastSeen }]) => ({
    hash,
    events,
    first_seen: new Date(firstSeen),
    last_seen: new Date(lastSeen),
  }));
  await sql`
    UPDATE grouping_hashes SET first_seen = kept.first_seen, last_seen = kept.last_seen
    FROM json_to_recordset(${JSON.stringify(kept)}::json) AS kept (hash text, events bigint,
      first_seen timestamptz, last_seen timestamptz)
    WHERE grouping_hashes.project_id = ${projectId} AND grouping_hashes.hash = kept.hash
      AND grouping_hashes.times_seen = kept.events`.execute(transaction);
}

type HashRow = {
  hash: string;
  issue_id: number;
  times_seen: number;
  stands_for: string | null;
  successor: string | null;
  earlier: string | null;
};

/** All hashes of the given hashes' issues, with what the change decided before `round` (null for none). */
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
