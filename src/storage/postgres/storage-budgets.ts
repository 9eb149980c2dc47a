import { type Kysely, sql } from 'kysely';
import type { StorageState } from '#protocol/storage-budget.ts';
import type {
  DayShares,
  NamedProject,
  ProjectShare,
  RetentionStore,
  StoredKind,
} from '#storage/ports/retention.ts';
import type { Database } from './schema.ts';

const STATE = 'storage_state';

type ShareRow = {
  kind: StoredKind;
  day: string;
  project_id: number;
  organization_id: number;
  row_count: number;
  weight: number;
  day_row_count: number;
};

type StorageBudgets = Pick<
  RetentionStore,
  | 'listShares'
  | 'saveShares'
  | 'forgetShares'
  | 'findBudgets'
  | 'saveBudget'
  | 'nameProjects'
  | 'findState'
  | 'saveState'
>;

/** Who uses the disk, and how much of it they may. */
export const createStorageBudgets = (db: Kysely<Database>): StorageBudgets => ({
  async listShares() {
    const { rows } = await sql<ShareRow>`
      SELECT kind, to_char(day, 'YYYY-MM-DD') AS day, project_id, organization_id, row_count, weight, day_row_count
      FROM storage_shares ORDER BY day, kind, project_id`.execute(db);
    const days = new Map<string, DayShares & { projects: ProjectShare[] }>();
    for (const row of rows) {
      const key = `${row.kind}:${row.day}`;
      const shares = days.get(key) ?? {
        kind: row.kind,
        day: row.day,
        dayRows: row.day_row_count,
        projects: [],
      };
      days.set(key, shares);
      shares.projects.push({
        organizationId: row.organization_id,
        projectId: row.project_id,
        rows: row.row_count,
        weight: row.weight,
      });
    }
    return [...days.values()];
  },

  async saveShares({ kind, day, dayRows, projects }) {
    await db.transaction().execute(async (transaction) => {
      await sql`DELETE FROM storage_shares WHERE kind = ${kind} AND day = ${day}::date`.execute(transaction);
      await sql`
        INSERT INTO storage_shares (kind, day, project_id, organization_id, row_count, weight, day_row_count)
        SELECT ${kind}, ${day}::date, "projectId", "organizationId", rows, weight, ${dayRows}
        FROM json_to_recordset(${JSON.stringify(projects)}::json)
          AS shares ("projectId" bigint, "organizationId" bigint, rows bigint, weight double precision)`.execute(
        transaction,
      );
    });
  },

  async forgetShares(stored) {
    await sql`
      DELETE FROM storage_shares WHERE NOT EXISTS (
        SELECT 1 FROM json_to_recordset(${JSON.stringify(stored)}::json) AS stored (kind text, day date)
        WHERE stored.kind = storage_shares.kind AND stored.day = storage_shares.day)`.execute(db);
  },

  async findBudgets() {
    const { rows } = await sql<{ project_id: number; bytes: number }>`
      SELECT project_id, bytes FROM project_budgets`.execute(db);
    return new Map(rows.map((row) => [row.project_id, row.bytes]));
  },

  async saveBudget(projectId, bytes) {
    if (bytes === null) {
      await sql`DELETE FROM project_budgets WHERE project_id = ${projectId}`.execute(db);
      return true;
    }
    const { numAffectedRows } = await sql`
      INSERT INTO project_budgets (project_id, bytes) SELECT id, ${bytes} FROM projects WHERE id = ${projectId}
      ON CONFLICT (project_id) DO UPDATE SET bytes = excluded.bytes`.execute(db);
    return numAffectedRows === 1n;
  },

  async nameProjects(projectIds) {
    const { rows } = await sql<NamedProject>`
      SELECT projects.id AS "projectId", projects.slug AS "projectSlug", organizations.slug AS "organizationSlug"
      FROM projects JOIN organizations ON organizations.id = projects.organization_id
      WHERE projects.id = ANY(${[...projectIds]}::bigint[])`.execute(db);
    return rows;
  },

  async findState() {
    const { rows } = await sql<{ value: StorageState }>`
      SELECT value FROM instance_settings WHERE key = ${STATE}`.execute(db);
    return rows[0]?.value ?? null;
  },

  async saveState(state) {
    await sql`INSERT INTO instance_settings (key, value) VALUES (${STATE}, ${JSON.stringify(state)}::jsonb)
      ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = now()`.execute(db);
  },
});
