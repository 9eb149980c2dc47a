import { type Kysely, sql } from 'kysely';
import type { DeletedProject, ProjectDeletionStore } from '#storage/ports/project-deletions.ts';
import type { Database } from './schema.ts';

/** A list of `DeletedProject`; projects are deleted too seldom for a table of their own. */
const SETTING = 'deleted_projects';
/** Whatever hangs on a project goes with it, which may be hundreds of thousands of rows. */
const DELETE_TIMEOUT = '5min';

export function createProjectDeletionStore(db: Kysely<Database>): ProjectDeletionStore {
  return {
    async deleteProject(organizationId, projectId, atMs) {
      return await db.transaction().execute(async (transaction) => {
        await sql`SET LOCAL statement_timeout = ${sql.lit(DELETE_TIMEOUT)}`.execute(transaction);
        const { rows } = await sql<{ id: number }>`
          DELETE FROM projects WHERE id = ${projectId} AND organization_id = ${organizationId}
          RETURNING id`.execute(transaction);
        if (rows.length === 0) return false;
        const entry: DeletedProject = { organizationId, projectId, deletedAt: atMs, sweeps: 0 };
        await sql`
          INSERT INTO instance_settings (key, value) VALUES (${SETTING}, ${JSON.stringify([entry])}::jsonb)
          ON CONFLICT (key) DO UPDATE SET value = instance_settings.value || EXCLUDED.value, updated_at = now()
          `.execute(transaction);
        return true;
      });
    },

    async listDeleted() {
      const { rows } = await sql<{
        value: readonly DeletedProject[];
      }>`SELECT value FROM instance_settings WHERE key = ${SETTING}`.execute(db);
      return rows[0]?.value ?? [];
    },

    async noteSweep(projectId) {
      await sql`
        UPDATE instance_settings SET updated_at = now(), value = (
          SELECT jsonb_agg(CASE WHEN (entry ->> 'projectId')::bigint = ${projectId}
            THEN jsonb_set(entry, '{sweeps}', to_jsonb((entry ->> 'sweeps')::int + 1)) ELSE entry END ORDER BY place)
          FROM jsonb_array_elements(value) WITH ORDINALITY AS entries (entry, place))
        WHERE key = ${SETTING} AND jsonb_array_length(value) > 0`.execute(db);
    },

    async forget(projectId) {
      await sql`
        UPDATE instance_settings SET updated_at = now(), value = (
          SELECT coalesce(jsonb_agg(entry ORDER BY place), '[]')
          FROM jsonb_array_elements(value) WITH ORDINALITY AS entries (entry, place)
          WHERE (entry ->> 'projectId')::bigint != ${projectId})
        WHERE key = ${SETTING}`.execute(db);
    },
  };
}
