import { type Kysely, sql } from 'kysely';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';

/** What was counted for a key in a window of time, on this machine, since it was last told to the others; negative when it was taken back. */
export type AddedCount = { key: string; windowEndMs: number; added: number };

/** Windows that are over are forgotten a little later: clocks of machines differ. */
const KEPT_MINUTES = 10;

/** What all machines have counted together. Source: PostgreSQL. */
export function createSharedCountStore(db: Kysely<Database>) {
  return {
    /** Adds what was counted here, each key once. Answers what all have counted, in the same order. */
    async exchange(counts: readonly AddedCount[]): Promise<readonly number[]> {
      const rows = counts.map(({ key, windowEndMs, added }) => ({
        key,
        window_end: new Date(windowEndMs),
        added,
      }));
      // By key, so that two machines never wait for each other.
      const totals = await query<{ key: string; used: number }>`
        INSERT INTO shared_counts (key, window_end, used)
        SELECT key, window_end, added
        FROM json_to_recordset(${toStorableJson(rows)}::json) AS count (key text, window_end timestamptz, added bigint)
        ORDER BY key, window_end
        ON CONFLICT (key, window_end) DO UPDATE SET used = shared_counts.used + excluded.used
        RETURNING key, used`.execute(db);
      const byKey = new Map(totals.map(({ key, used }) => [key, used]));
      return counts.map(({ key, added }) => byKey.get(key) ?? added);
    },

    async forgetOld(): Promise<void> {
      await sql`
        DELETE FROM shared_counts WHERE window_end < now() - make_interval(mins => ${KEPT_MINUTES})`.execute(
        db,
      );
    },
  };
}

export type SharedCountStore = ReturnType<typeof createSharedCountStore>;
