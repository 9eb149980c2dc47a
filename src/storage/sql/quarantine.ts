import { type Kysely, sql, type Transaction } from 'kysely';
import type { QuarantineEntry } from '#storage/ports/digest.ts';
import type { Database } from './schema.ts';
import { toStorableText } from './storable-json.ts';

/** Records quarantined in one statement. */
const ENTRIES_PER_STATEMENT_MAX = 500;
const DELETED_PER_STATEMENT = 5_000;

/** In statements that are short enough for any number of records. */
export async function deleteQuarantineOf(
  db: Kysely<Database>,
  organizationId: number,
  projectId: number,
): Promise<void> {
  let deleted = 0n;
  do {
    const result = await sql`
      DELETE FROM quarantine WHERE id IN (
        SELECT id FROM quarantine WHERE organization_id = ${organizationId} AND project_id = ${projectId}
        ORDER BY id LIMIT ${DELETED_PER_STATEMENT})`.execute(db);
    deleted = result.numAffectedRows ?? 0n;
  } while (deleted > 0n);
}

/** An item that was quarantined before, by its place in the spool, stays as it is. */
export async function addToQuarantine(
  transaction: Transaction<Database>,
  entries: readonly QuarantineEntry[],
  nowMs: number,
): Promise<void> {
  for (let start = 0; start < entries.length; start += ENTRIES_PER_STATEMENT_MAX) {
    const rows = entries.slice(start, start + ENTRIES_PER_STATEMENT_MAX).map((entry) => ({
      organization_id: entry.organizationId,
      project_id: entry.projectId,
      key_id: entry.keyId,
      event_id: entry.eventId,
      category: entry.category,
      reason: entry.reason,
      detail: toStorableText(entry.detail),
      attempts: entry.attempts,
      received_at: new Date(entry.receivedAt),
      quarantined_at: new Date(nowMs),
      replayed_at: null,
      spool_id: entry.spoolId,
      position: entry.position,
      item: entry.item,
      record: Buffer.from(entry.record),
    }));
    await transaction
      .insertInto('quarantine')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['spool_id', 'position', 'item']).doNothing())
      .execute();
  }
}
