import { type Kysely, sql } from 'kysely';
import type { ClickhouseDatabase } from '#storage/clickhouse/client.ts';
import type { Database } from '#storage/sql/schema.ts';

/** Counters of hashes and issues, as if all multiplied events had come the usual way. */
export async function recount(database: ClickhouseDatabase, db: Kysely<Database>): Promise<void> {
  const rows = await database.query<{ hash: string; events: number; first_ms: number; last_ms: number }>(
    `SELECT grouping_hash AS hash, count() AS events, toUnixTimestamp64Milli(min(occurred_at)) AS first_ms,
       toUnixTimestamp64Milli(max(occurred_at)) AS last_ms FROM events GROUP BY grouping_hash`,
    {},
  );
  await sql`
    UPDATE grouping_hashes SET times_seen = counted.events, first_seen = to_timestamp(counted.first_ms / 1000.0),
      last_seen = to_timestamp(counted.last_ms / 1000.0)
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS counted (hash text, events bigint, first_ms bigint,
      last_ms bigint)
    WHERE grouping_hashes.hash = counted.hash`.execute(db);
  await sql`
    UPDATE issues SET times_seen = total.events, first_seen = total.first_seen, last_seen = total.last_seen
    FROM (SELECT issue_id, sum(times_seen) AS events, min(first_seen) AS first_seen, max(last_seen) AS last_seen
      FROM grouping_hashes GROUP BY issue_id) AS total
    WHERE issues.id = total.issue_id`.execute(db);
}
