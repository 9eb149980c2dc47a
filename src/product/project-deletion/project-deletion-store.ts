import { type Kysely, sql, type Transaction } from 'kysely';
import { addRemoved } from '#product/data-requests/store/removed-counts.ts';
import type { DeletedProject } from '#storage/ports/deleted-data.ts';
import { lockHashIndex } from '#storage/sql/hash-index-lock.ts';
import { deleteQuarantineOf } from '#storage/sql/quarantine.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';

/** A list of `DeletedProject`; projects are deleted too seldom for a table of their own. */
const SETTING = 'deleted_projects';
/** What hangs on an issue goes with it: so many keep a statement far from its time limit. */
const ISSUES_PER_STATEMENT = 1_000;

/** Projects that are deleted. Source: PostgreSQL. */
export function createProjectDeletionStore(db: Kysely<Database>) {
  return {
    /** Deletes the project and notes its data for removal; outcomes stay. False when there is no such project. */
    async deleteProject(organizationId: number, projectId: number, atMs: number): Promise<boolean> {
      return await db.transaction().execute(async (transaction) => {
        await lockHashIndex(transaction, projectId);
        return await deleteOne(transaction, organizationId, projectId, atMs);
      });
    },

    /** As `deleteProject`, of every project that the organization has. */
    async deleteAllProjects(organizationId: number, atMs: number): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ id: number }>`
          SELECT id FROM projects WHERE organization_id = ${organizationId} ORDER BY id`.execute(transaction);
        // All of them first: whoever counts events holds the maps of several projects.
        for (const { id } of rows) await lockHashIndex(transaction, id);
        for (const { id } of rows) await deleteOne(transaction, organizationId, id, atMs);
      });
    },

    /** Whose turn it is comes first: the oldest of those that were not postponed. */
    async listDeleted(): Promise<readonly DeletedProject[]> {
      const row = await query<{ value: readonly DeletedProject[] }>`
        SELECT value FROM instance_settings WHERE key = ${SETTING}`.first(db);
      return row?.value ?? [];
    },

    /** What the next sweep removes, for the certificate; once for each sweep. */
    async noteCounts(
      { projectId, sweeps }: DeletedProject,
      counts: Readonly<Partial<Record<string, number>>>,
    ): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        await sql`
          UPDATE instance_settings SET updated_at = now(), value = (
            SELECT jsonb_agg(CASE WHEN (entry ->> 'projectId')::bigint = ${projectId}
              THEN entry || jsonb_build_object('counted', ${sweeps + 1}::int) ELSE entry END ORDER BY place)
            FROM jsonb_array_elements(value) WITH ORDINALITY AS entries (entry, place))
          WHERE key = ${SETTING} AND jsonb_array_length(value) > 0`.execute(transaction);
        await addRemoved(transaction, sql`${projectId} = ANY(project_ids)`, counts);
      });
    },

    /** One more sweep is done. */
    async noteSweep(projectId: number): Promise<void> {
      await sql`
        UPDATE instance_settings SET updated_at = now(), value = (
          SELECT jsonb_agg(CASE WHEN (entry ->> 'projectId')::bigint = ${projectId}
            THEN jsonb_set(entry, '{sweeps}', to_jsonb((entry ->> 'sweeps')::int + 1)) ELSE entry END ORDER BY place)
          FROM jsonb_array_elements(value) WITH ORDINALITY AS entries (entry, place))
        WHERE key = ${SETTING} AND jsonb_array_length(value) > 0`.execute(db);
    },

    /** It goes on after all others that wait. */
    async postpone(projectId: number): Promise<void> {
      await sql`
        UPDATE instance_settings SET updated_at = now(), value = (
          SELECT coalesce(jsonb_agg(entry ORDER BY (entry ->> 'projectId')::bigint = ${projectId}, place), '[]')
          FROM jsonb_array_elements(value) WITH ORDINALITY AS entries (entry, place))
        WHERE key = ${SETTING}`.execute(db);
    },

    /** Rows of it were found behind its last sweep: another one follows. */
    sweepAgain: (project: Omit<DeletedProject, 'sweeps' | 'counted'>): Promise<void> =>
      noteDeleted(db, { ...project, sweeps: 1 }),

    /** Nothing is left of it. */
    async forget(projectId: number): Promise<void> {
      await sql`
        UPDATE instance_settings SET updated_at = now(), value = (
          SELECT coalesce(jsonb_agg(entry ORDER BY place), '[]')
          FROM jsonb_array_elements(value) WITH ORDINALITY AS entries (entry, place)
          WHERE (entry ->> 'projectId')::bigint != ${projectId})
        WHERE key = ${SETTING}`.execute(db);
    },
  };
}

export type ProjectDeletionStore = ReturnType<typeof createProjectDeletionStore>;

/** The hash index of the project must be owned. False when the organization has no such project. */
async function deleteOne(
  transaction: Transaction<Database>,
  organizationId: number,
  projectId: number,
  atMs: number,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM projects WHERE id = ${projectId} AND organization_id = ${organizationId} FOR UPDATE
  `.execute(transaction);
  if (rows.length === 0) return false;
  await deleteIssuesOf(transaction, projectId);
  await deleteQuarantineOf(transaction, organizationId, projectId);
  await sql`DELETE FROM projects WHERE id = ${projectId}`.execute(transaction);
  await noteDeleted(transaction, { organizationId, projectId, deletedAt: atMs, sweeps: 0 });
  return true;
}

/** Once, however often it is asked. */
async function noteDeleted(db: Kysely<Database>, entry: DeletedProject): Promise<void> {
  const { projectId } = entry;
  await sql`
    INSERT INTO instance_settings (key, value) VALUES (${SETTING}, ${JSON.stringify([entry])}::jsonb)
    ON CONFLICT (key) DO UPDATE SET value = instance_settings.value || EXCLUDED.value, updated_at = now()
      WHERE NOT instance_settings.value @> ${JSON.stringify([{ projectId }])}::jsonb`.execute(db);
}

/** By id, as everybody locks them. */
async function deleteIssuesOf(transaction: Transaction<Database>, projectId: number): Promise<void> {
  let deleted = 0n;
  do {
    const result = await sql`
      WITH oldest AS (
        SELECT id FROM issues WHERE project_id = ${projectId} ORDER BY id LIMIT ${ISSUES_PER_STATEMENT} FOR UPDATE
      )
      DELETE FROM issues USING oldest WHERE issues.id = oldest.id`.execute(transaction);
    deleted = result.numAffectedRows ?? 0n;
  } while (deleted > 0n);
}
