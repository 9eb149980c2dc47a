import { type Kysely, sql } from 'kysely';
import type { Dashboard, DashboardContent, Widget } from '#domain/dashboards/dashboard.ts';
import { conflict } from '#lib/errors.ts';
import { refuseTaken } from '#storage/sql/postgres-errors.ts';
import { affectedRows, query, userNamed } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson, toStorableText } from '#storage/sql/storable-json.ts';

/** Boards of widgets. Source: PostgreSQL. Every call is scoped by organization. */
export function createDashboardStore(db: Kysely<Database>) {
  const find = async (
    organizationId: number,
    userId: string,
    dashboardId: number,
  ): Promise<Dashboard | null> => {
    const row = await query<Dashboard>`
      SELECT ${columnsFor(userId)} FROM dashboards d LEFT JOIN users ON users.id = d.created_by
      WHERE d.organization_id = ${organizationId} AND d.id = ${dashboardId}`.first(db);
    return row && completed(row);
  };
  return {
    find,

    /** Those that the user starred, then by title. */
    async list(organizationId: number, userId: string, limit: number): Promise<readonly Dashboard[]> {
      const rows = await query<Dashboard>`
        SELECT ${columnsFor(userId)} FROM dashboards d LEFT JOIN users ON users.id = d.created_by
        WHERE d.organization_id = ${organizationId}
        ORDER BY is_starred DESC, lower(d.title), d.id LIMIT ${limit}`.execute(db);
      return rows.map(completed);
    },

    async count(organizationId: number): Promise<number> {
      const row = await query<{ count: number }>`
        SELECT count(*)::int AS count FROM dashboards WHERE organization_id = ${organizationId}`.first(db);
      return row?.count ?? 0;
    },

    /** Throws Conflict when the title is taken. */
    async create(
      organizationId: number,
      userId: string | null,
      content: DashboardContent,
      atMs: number,
    ): Promise<Dashboard> {
      const { title, description, widgets, variables, filters } = content;
      const at = new Date(atMs);
      const id = await refusingTakenTitle(title, async () => {
        const row = await query<{ id: number }>`
          INSERT INTO dashboards (organization_id, title, description, widgets, variables, filters, created_by,
            created_at, updated_at)
          VALUES (${organizationId}, ${toStorableText(title)}, ${toStorableText(description)},
            ${toStorableJson(widgets)}::jsonb, ${toStorableJson(variables)}::jsonb, ${toStorableJson(filters)}::jsonb,
            ${userId}, ${at}, ${at})
          RETURNING id`.first(db);
        return row!.id;
      });
      return (await find(organizationId, userId ?? '', id))!;
    },

    /**
     * Replaces what people decide, if nobody did so since `version`. Answers whether it was replaced. Throws Conflict when
     * the title is taken.
     */
    async replace(
      organizationId: number,
      { id, version }: { id: number; version: number },
      content: DashboardContent,
      atMs: number,
    ): Promise<boolean> {
      const { title, description, widgets, variables, filters } = content;
      return await refusingTakenTitle(title, async () => {
        const replaced = await affectedRows`
          UPDATE dashboards SET title = ${toStorableText(title)}, description = ${toStorableText(description)},
            widgets = ${toStorableJson(widgets)}::jsonb, variables = ${toStorableJson(variables)}::jsonb,
            filters = ${toStorableJson(filters)}::jsonb, version = version + 1, updated_at = ${new Date(atMs)}
          WHERE organization_id = ${organizationId} AND id = ${id} AND version = ${version}`.execute(db);
        return replaced > 0;
      });
    },

    async delete(organizationId: number, dashboardId: number): Promise<void> {
      await sql`
        DELETE FROM dashboards WHERE organization_id = ${organizationId} AND id = ${dashboardId}`.execute(db);
    },

    async star(userId: string, dashboardId: number, isStarred: boolean): Promise<void> {
      await (isStarred
        ? sql`INSERT INTO dashboard_stars (dashboard_id, user_id) VALUES (${dashboardId}, ${userId})
            ON CONFLICT DO NOTHING`
        : sql`DELETE FROM dashboard_stars WHERE dashboard_id = ${dashboardId} AND user_id = ${userId}`
      ).execute(db);
    },
  };
}

export type DashboardStore = ReturnType<typeof createDashboardStore>;

const columnsFor = (userId: string) => sql`
  d.id, d.title, d.description, d.widgets, d.variables, d.filters, d.version, d.created_at, d.updated_at,
  ${userNamed('users')} AS created_by,
  EXISTS (SELECT FROM dashboard_stars s WHERE s.dashboard_id = d.id AND s.user_id = ${userId}) AS is_starred`;

/** What widgets did not have when the first of them were stored. */
const ADDED: Pick<Widget, 'alias' | 'moreQueries'> = { alias: '', moreQueries: [] };

const completed = (row: Dashboard): Dashboard => ({
  ...row,
  widgets: row.widgets.map((widget) => ({ ...ADDED, ...widget })),
});

const refusingTakenTitle = <Result>(title: string, write: () => Promise<Result>): Promise<Result> =>
  refuseTaken(
    null,
    () =>
      conflict(`A dashboard named "${title.slice(0, 100)}" already exists: choose another title`, 'title'),
    write,
  );
