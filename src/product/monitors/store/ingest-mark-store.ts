import { type Kysely, sql } from 'kysely';
import type { IngestGap } from '#domain/monitors/monitor-state.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';

/** Up to when what one edge received is stored. */
export type IngestMark = {
  /** Milliseconds since the epoch. */
  completeUntil: number;
  /** Times in which it could receive nothing, oldest first. */
  gaps: readonly IngestGap[];
  updatedAt: number;
};

export type SpoolMark = IngestMark & { spoolId: string };

/** One for each spool: that of a machine, or a partition of a topic. Source: PostgreSQL. */
export function createIngestMarkStore(db: Kysely<Database>) {
  return {
    list: (): Promise<readonly SpoolMark[]> =>
      query<SpoolMark>`SELECT spool_id, complete_until, gaps, updated_at FROM ingest_marks`.execute(db),

    async save(spoolId: string, { completeUntil, gaps, updatedAt }: IngestMark): Promise<void> {
      await sql`
        INSERT INTO ingest_marks (spool_id, complete_until, gaps, updated_at)
        VALUES (${spoolId}, ${new Date(completeUntil)}, ${JSON.stringify(gaps)}::jsonb, ${new Date(updatedAt)})
        ON CONFLICT (spool_id) DO UPDATE SET complete_until = excluded.complete_until, gaps = excluded.gaps,
          updated_at = excluded.updated_at`.execute(db);
    },
  };
}

export type IngestMarkStore = ReturnType<typeof createIngestMarkStore>;
