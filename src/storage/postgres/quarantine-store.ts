import { type Kysely, sql } from 'kysely';
import type { QuarantinedItem, QuarantineStore } from '#storage/ports/digest.ts';
import { deleteQuarantineOf } from '#storage/sql/quarantine.ts';
import type { Database } from '#storage/sql/schema.ts';

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
