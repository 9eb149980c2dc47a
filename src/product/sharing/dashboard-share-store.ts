import { type Kysely, type RawBuilder, sql } from 'kysely';
import { query, userNamed } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';

export type DashboardShare = {
  dashboardId: number;
  title: string;
  /** All that its page may count. */
  projectIds: readonly number[];
  /** null when the user is gone. */
  createdBy: { id: string; name: string } | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
  expiresAt: number;
};

type OpenedShare = Pick<DashboardShare, 'dashboardId' | 'projectIds' | 'createdAt' | 'expiresAt'> & {
  organizationId: number;
  organizationSlug: string;
};

/** Public pages of dashboards; only the hash of a token is kept. Source: PostgreSQL. */
export function createDashboardShareStore(db: Kysely<Database>) {
  return {
    /** Expired ones are none. */
    async find(organizationId: number, dashboardId: number, nowMs: number): Promise<DashboardShare | null> {
      const isOne = sql`${isLive(organizationId, nowMs)} AND s.dashboard_id = ${dashboardId}`;
      return (await readShares(db, isOne, 1))[0] ?? null;
    },

    /** Of an organization, newest first, at most `limit`. */
    list: (organizationId: number, nowMs: number, limit: number): Promise<readonly DashboardShare[]> =>
      readShares(db, isLive(organizationId, nowMs), limit),

    /** Takes the place of an earlier share. null when the organization has no such dashboard. */
    async put(
      organizationId: number,
      dashboardId: number,
      {
        tokenHash,
        projectIds,
        expiresAt,
      }: { tokenHash: Uint8Array; projectIds: readonly number[]; expiresAt: number },
      userId: string | null,
      atMs: number,
    ): Promise<DashboardShare | null> {
      await sql`
        INSERT INTO dashboard_shares (dashboard_id, token_hash, project_ids, created_by, created_at, expires_at)
        SELECT id, ${Buffer.from(tokenHash)}, ${projectIds}::bigint[], ${userId}, ${new Date(atMs)}, ${new Date(expiresAt)}
        FROM dashboards WHERE organization_id = ${organizationId} AND id = ${dashboardId}
        ON CONFLICT (dashboard_id) DO UPDATE SET token_hash = excluded.token_hash, project_ids = excluded.project_ids,
          created_by = excluded.created_by, created_at = excluded.created_at, expires_at = excluded.expires_at`.execute(
        db,
      );
      const isOne = sql`d.organization_id = ${organizationId} AND s.dashboard_id = ${dashboardId}`;
      return (await readShares(db, isOne, 1))[0] ?? null;
    },

    /** False when the dashboard was not shared. */
    async remove(organizationId: number, dashboardId: number, nowMs: number): Promise<boolean> {
      const removed = await query<{ isLive: boolean }>`
        DELETE FROM dashboard_shares s USING dashboards d
        WHERE d.id = s.dashboard_id AND d.organization_id = ${organizationId} AND s.dashboard_id = ${dashboardId}
        RETURNING s.expires_at > ${new Date(nowMs)} AS is_live`.first(db);
      return removed?.isLive ?? false;
    },

    /** What a token opens; null when it is unknown, expired, or its organization switched sharing off. */
    open: (tokenHash: Uint8Array, nowMs: number): Promise<OpenedShare | null> =>
      query<OpenedShare>`
        SELECT d.organization_id, organizations.slug AS organization_slug, s.dashboard_id, to_jsonb(s.project_ids) AS project_ids, s.created_at,
          s.expires_at
        FROM dashboard_shares s JOIN dashboards d ON d.id = s.dashboard_id
        JOIN organizations ON organizations.id = d.organization_id
        WHERE s.token_hash = ${Buffer.from(tokenHash)} AND s.expires_at > ${new Date(nowMs)}
          AND organizations.allows_sharing`.first(db),
  };
}

export type DashboardShareStore = ReturnType<typeof createDashboardShareStore>;

const isLive = (organizationId: number, nowMs: number) =>
  sql`d.organization_id = ${organizationId} AND s.expires_at > ${new Date(nowMs)}`;

const readShares = (
  db: Kysely<Database>,
  condition: RawBuilder<unknown>,
  limit: number,
): Promise<DashboardShare[]> =>
  query<DashboardShare>`
    SELECT s.dashboard_id, d.title, to_jsonb(s.project_ids) AS project_ids, ${userNamed('users')} AS created_by, s.created_at, s.expires_at
    FROM dashboard_shares s JOIN dashboards d ON d.id = s.dashboard_id LEFT JOIN users ON users.id = s.created_by
    WHERE ${condition} ORDER BY s.created_at DESC, s.dashboard_id LIMIT ${limit}`.execute(db);
