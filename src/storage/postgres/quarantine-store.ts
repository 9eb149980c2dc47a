import { type Kysely, sql, type Transaction } from 'kysely';
import type { QuarantinedItem, QuarantineEntry, QuarantineStore } from '#storage/ports/digest.ts';
import type { Database } from './schema.ts';
import { toStorableText } from './storable-json.ts';

const ENTRIES_PER_STATEMENT_MAX = 500;
const DELETED_PER_STATEMENT = 5_000;

const COLUMNS = [
  'id',
  'organization_id as organizationId',
  'project_id as projectId',
  'key_id as keyId',
  'event_id as eventId',
  'category',
  'reason',
  'detail',
  'attempts',
  'received_at',
  'quarantined_at',
  'replayed_at',
] as const;

export function createQuarantineStore(db: Kysely<Database>): QuarantineStore {
  return {
    async list(organizationId, limit) {
      let query = db.selectFrom('quarantine').select(COLUMNS).orderBy('id', 'desc').limit(limit);
      if (organizationId !== null) query = query.where('organization_id', '=', organizationId);
      return (await query.execute()).map(toItem);
    },

    async find(id) {
      const row = await db
        .selectFrom('quarantine')
        .select([...COLUMNS, 'record'])
        .where('id', '=', id)
        .executeTakeFirst();
      return row ? { ...toItem(row), record: row.record } : null;
    },

    async markReplayed(id, nowMs) {
      await db
        .updateTable('quarantine')
        .from('quarantine as named')
        .set({ replayed_at: new Date(nowMs) })
        .where('named.id', '=', id)
        .whereRef('quarantine.spool_id', '=', 'named.spool_id')
        .whereRef('quarantine.position', '=', 'named.position')
        .execute();
    },

    async isOfDeletedProject(id) {
      const { rows } = await sql`
        SELECT FROM quarantine WHERE id = ${id} AND NOT EXISTS (
          SELECT FROM projects WHERE projects.id = quarantine.project_id)`.execute(db);
      return rows.length > 0;
    },

    deleteOfProject: (organizationId, projectId) => deleteQuarantineOf(db, organizationId, projectId),
  };
}

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

/** An item that was set aside before, by its place in the spool, stays as it is. */
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

type Row = Omit<QuarantinedItem, 'receivedAt' | 'quarantinedAt' | 'replayedAt'> & {
  received_at: Date;
  quarantined_at: Date;
  replayed_at: Date | null;
};

const toItem = (row: Row): QuarantinedItem => ({
  id: row.id,
  organizationId: row.organizationId,
  projectId: row.projectId,
  keyId: row.keyId,
  eventId: row.eventId,
  category: row.category,
  reason: row.reason,
  detail: row.detail,
  attempts: row.attempts,
  receivedAt: row.received_at.getTime(),
  quarantinedAt: row.quarantined_at.getTime(),
  replayedAt: row.replayed_at?.getTime() ?? null,
});
