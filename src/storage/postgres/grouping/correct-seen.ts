import { type Kysely, sql } from 'kysely';
import type { ReprocessStore } from '#storage/ports/reprocess.ts';
import type { Database } from '../schema.ts';
import { recountIssues } from './dissolve-issues.ts';
import { lockHashIndex } from './hash-index-lock.ts';

/** As the port's `correctSeen`. Nobody counts meanwhile, so what was not counted since will not be missed. */
export async function correctSeen(
  db: Kysely<Database>,
  ...[projectId, seen]: Parameters<ReprocessStore['correctSeen']>
): Promise<void> {
  if (seen.length === 0) return;
  const rows = seen.map(({ hash, counted, events, firstSeen, lastSeen }) => ({
    hash,
    counted,
    events,
    first_seen: new Date(firstSeen),
    last_seen: new Date(lastSeen),
  }));
  await db.transaction().execute(async (transaction) => {
    await lockHashIndex(transaction, projectId);
    const { rows: corrected } = await sql<{ issue_id: number }>`
      UPDATE grouping_hashes known SET last_seen = stored.last_seen,
        first_seen = CASE WHEN known.times_seen <= stored.events THEN stored.first_seen ELSE known.first_seen END
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS stored (hash text, counted bigint, events bigint,
        first_seen timestamptz, last_seen timestamptz)
      WHERE known.project_id = ${projectId} AND known.hash = stored.hash AND known.times_seen = stored.counted
      RETURNING known.issue_id`.execute(transaction);
    await recountIssues(transaction, [...new Set(corrected.map((row) => row.issue_id))]);
  });
}
