import { sql, type Transaction } from 'kysely';
import type { DigestedEvent } from '#protocol/event.ts';
import type { Database } from '#storage/sql/schema.ts';
import { hashKey } from './issue-delta.ts';

type HashDelta = { project_id: number; hash: string; events: number; firstSeen: number; lastSeen: number };

/** Counts the events under the hashes that they are stored with, which the hash index knows by now. */
export async function countHashes(
  transaction: Transaction<Database>,
  events: readonly DigestedEvent[],
): Promise<void> {
  const deltas = new Map<string, HashDelta>();
  for (const { projectId, groupingHash, occurredAt } of events) {
    const key = hashKey(projectId, groupingHash);
    const known = deltas.get(key);
    if (known) {
      known.events += 1;
      known.firstSeen = Math.min(known.firstSeen, occurredAt);
      known.lastSeen = Math.max(known.lastSeen, occurredAt);
    } else {
      deltas.set(key, {
        project_id: projectId,
        hash: groupingHash,
        events: 1,
        firstSeen: occurredAt,
        lastSeen: occurredAt,
      });
    }
  }
  if (deltas.size === 0) return;
  const rows = [...deltas.values()].map(({ firstSeen, lastSeen, ...delta }) => ({
    ...delta,
    first_seen: new Date(firstSeen),
    last_seen: new Date(lastSeen),
  }));
  // Locked in one order, since other digests may count the same hashes.
  await sql`
    WITH delta AS (
      SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS row_of (project_id bigint, hash text,
        events bigint, first_seen timestamptz, last_seen timestamptz)
    ), locked AS (
      SELECT known.project_id, known.hash FROM grouping_hashes known
      JOIN delta ON delta.project_id = known.project_id AND delta.hash = known.hash
      ORDER BY known.project_id, known.hash FOR NO KEY UPDATE OF known
    )
    UPDATE grouping_hashes SET
      times_seen = grouping_hashes.times_seen + delta.events,
      first_seen = least(grouping_hashes.first_seen, delta.first_seen),
      last_seen = greatest(grouping_hashes.last_seen, delta.last_seen)
    FROM delta JOIN locked ON locked.project_id = delta.project_id AND locked.hash = delta.hash
    WHERE grouping_hashes.project_id = delta.project_id AND grouping_hashes.hash = delta.hash`.execute(
    transaction,
  );
}
