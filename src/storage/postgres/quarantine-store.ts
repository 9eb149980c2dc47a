import { type Kysely, sql } from 'kysely';
import type { QuarantineStore } from '#storage/ports/digest.ts';
import { deleteQuarantineOf } from '#storage/sql/quarantine.ts';
import { camelRow } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';

const COLUMNS = [
  'id',
  'organization_id',
  'project_id',
  'key_id',
  'event_id',
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
      return (await query.execute()).map(camelRow);
    },

    async find(id) {
      const row = await db
        .selectFrom('quarantine')
        .select([...COLUMNS, 'record'])
        .where('id', '=', id)
        .executeTakeFirst();
      return row ? camelRow(row) : null;
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
