import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';

/** What requests removed so far and what is added, kind by kind, as an expression. */
export const sumOfRemoved = (added: Readonly<Partial<Record<string, number>>>): RawBuilder<unknown> => sql`(
  SELECT coalesce(jsonb_object_agg(kind, total), '{}') FROM (
    SELECT kind, sum(count::bigint) AS total FROM (
      SELECT key AS kind, value AS count FROM jsonb_each_text(data_requests.removed)
      UNION ALL SELECT key, value FROM jsonb_each_text(${toStorableJson(added)}::jsonb)
    ) AS counts GROUP BY kind
  ) AS totals)`;

/** Adds to what the deletion of a project or an organization removed. */
export async function addRemoved(
  db: Kysely<Database>,
  where: RawBuilder<unknown>,
  added: Readonly<Partial<Record<string, number>>>,
): Promise<void> {
  await sql`
    UPDATE data_requests SET removed = ${sumOfRemoved(added)}
    WHERE subject <> 'person' AND state = 'purging' AND ${where}`.execute(db);
}
