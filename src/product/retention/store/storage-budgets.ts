import { type Kysely, sql } from 'kysely';
import type { StorageState } from '#protocol/storage-budget.ts';
import type { DayShares, ProjectShare, StoredKind } from '#storage/ports/stored-days.ts';
import { affectedRows, query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';

const STATE = 'storage_state';

/** Who uses the disk, and how much of it they may. */
export const createStorageBudgets = (db: Kysely<Database>) => ({
  async listShares(): Promise<readonly DayShares[]> {
    const shares = await query<Omit<DayShares, 'projects'> & ProjectShare>`
      SELECT kind, to_char(day, 'YYYY-MM-DD') AS day, project_id, organization_id, row_count AS rows, weight,
        day_row_count AS day_rows
      FROM storage_shares ORDER BY day, kind, project_id`.execute(db);
    const days = new Map<string, DayShares & { projects: ProjectShare[] }>();
    for (const { kind, day, dayRows, ...project } of shares) {
      const key = `${kind}:${day}`;
      const ofDay = days.get(key) ?? { kind, day, dayRows, projects: [] };
      days.set(key, ofDay);
      ofDay.projects.push(project);
    }
    return [...days.values()];
  },

  /** Takes the place of what was measured of the day before. */
  async saveShares({ kind, day, dayRows, projects }: DayShares): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      await sql`DELETE FROM storage_shares WHERE kind = ${kind} AND day = ${day}::date`.execute(transaction);
      await sql`
        INSERT INTO storage_shares (kind, day, project_id, organization_id, row_count, weight, day_row_count)
        SELECT ${kind}, ${day}::date, "projectId", "organizationId", rows, weight, ${dayRows}
        FROM json_to_recordset(${JSON.stringify(projects)}::json)
          AS shares ("projectId" bigint, "organizationId" bigint, rows bigint, weight double precision)
      `.execute(transaction);
    });
  },

  /** Of days that are not in the list any more. */
  async forgetShares(stored: readonly { kind: StoredKind; day: string }[]): Promise<void> {
    await sql`
      DELETE FROM storage_shares WHERE NOT EXISTS (
        SELECT 1 FROM json_to_recordset(${JSON.stringify(stored)}::json) AS stored (kind text, day date)
        WHERE stored.kind = storage_shares.kind AND stored.day = storage_shares.day)`.execute(db);
  },

  /** What people decided, by project. */
  async findBudgets(): Promise<ReadonlyMap<number, number>> {
    const rows = await query<{ projectId: number; bytes: number }>`
      SELECT project_id, bytes FROM project_budgets`.execute(db);
    return new Map(rows.map((row) => [row.projectId, row.bytes]));
  },

  /** null returns the project to its fair share. False when there is no such project. */
  async saveBudget(projectId: number, bytes: number | null): Promise<boolean> {
    if (bytes === null) {
      await sql`DELETE FROM project_budgets WHERE project_id = ${projectId}`.execute(db);
      return true;
    }
    const changed = await affectedRows`
      INSERT INTO project_budgets (project_id, bytes) SELECT id, ${bytes} FROM projects WHERE id = ${projectId}
      ON CONFLICT (project_id) DO UPDATE SET bytes = excluded.bytes`.execute(db);
    return changed === 1;
  },

  /** How projects of any organization are called, for the owner of the instance. */
  nameProjects: (projectIds: readonly number[]): Promise<readonly NamedProject[]> =>
    query<NamedProject>`
      SELECT projects.id AS project_id, projects.slug AS project_slug, organizations.slug AS organization_slug
      FROM projects JOIN organizations ON organizations.id = projects.organization_id
      WHERE projects.id = ANY(${[...projectIds]}::bigint[])`.execute(db),

  /** The last measurement; null before the first. */
  async findState(): Promise<StorageState | null> {
    const row = await query<{ value: StorageState }>`
      SELECT value FROM instance_settings WHERE key = ${STATE}`.first(db);
    return row?.value ?? null;
  },

  async saveState(state: StorageState): Promise<void> {
    await sql`INSERT INTO instance_settings (key, value) VALUES (${STATE}, ${JSON.stringify(state)}::jsonb)
      ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = now()`.execute(db);
  },
});

export type NamedProject = {
  projectId: number;
  projectSlug: string;
  organizationSlug: string;
};
