import { type Kysely, sql } from 'kysely';
import type { UptimeDefinition, UptimeHeaders, UptimeMonitor } from '#domain/uptime/monitor.ts';
import type { SecretBox } from '#lib/secret-box.ts';
import { affectedRows, query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';

/** What people set of a monitor. */
export type UptimeMonitorSettings = Pick<
  UptimeMonitor,
  'projectId' | 'name' | 'url' | 'intervalSeconds' | 'environment' | 'isEnabled'
> & {
  definition: UptimeDefinition;
  owner: { kind: 'user' | 'team'; id: string } | null;
};

/** Names come first in lower case, then IDs. */
export type UptimePlace = { name: string; id: number };

/** Uptime monitors as they are set. Source: PostgreSQL. Header values are encrypted for their organization. */
export function createUptimeMonitorStore(db: Kysely<Database>, box: SecretBox) {
  const find = (organizationId: number, id: number): Promise<UptimeMonitor | null> =>
    query<UptimeMonitor>`
      SELECT ${UPTIME_MONITOR} FROM uptime_monitors AS m ${WITH_OWNER}
      WHERE m.organization_id = ${organizationId} AND m.id = ${id}`.first(db);
  const seal = (organizationId: number, headers: UptimeHeaders): string | null =>
    Object.keys(headers).length === 0 ? null : box.seal(JSON.stringify(headers), String(organizationId));

  return {
    find,

    /** By name, after a place; of these projects. */
    list: (
      { organizationId, projectIds }: { organizationId: number; projectIds: readonly number[] },
      { limit, after }: { limit: number; after: UptimePlace | null },
    ): Promise<readonly UptimeMonitor[]> =>
      query<UptimeMonitor>`
        SELECT ${UPTIME_MONITOR} FROM uptime_monitors AS m ${WITH_OWNER}
        WHERE m.organization_id = ${organizationId} AND m.project_id = ANY(${projectIds}::bigint[])
          AND (${after === null} OR (lower(m.name), m.id) > (lower(${after?.name ?? ''}), ${after?.id ?? 0}::bigint))
        ORDER BY lower(m.name), m.id LIMIT ${limit}`.execute(db),

    async count(organizationId: number): Promise<number> {
      const row = await query<{ monitors: number }>`
        SELECT count(*)::int AS monitors FROM uptime_monitors WHERE organization_id = ${organizationId}`.first(
        db,
      );
      return row?.monitors ?? 0;
    },

    /** null when they were encrypted with another secret of the instance. */
    async readHeaders(organizationId: number, id: number): Promise<UptimeHeaders | null> {
      const row = await query<{ secret: string | null }>`
        SELECT secret FROM uptime_monitors WHERE organization_id = ${organizationId} AND id = ${id}`.first(
        db,
      );
      return openUptimeHeaders(box, organizationId, row?.secret ?? null);
    },

    /** It is due at once. */
    async add(
      organizationId: number,
      settings: UptimeMonitorSettings & { headers: UptimeHeaders },
      userId: string | null,
      atMs: number,
    ): Promise<UptimeMonitor> {
      const at = new Date(atMs);
      const { owner } = settings;
      const row = await query<{ id: number }>`
        INSERT INTO uptime_monitors (organization_id, project_id, name, url, interval_seconds, definition, secret,
          environment, owner_user_id, owner_team_id, is_enabled, created_by, created_at, updated_at, next_check_at)
        VALUES (${organizationId}, ${settings.projectId}, ${settings.name}, ${settings.url}, ${settings.intervalSeconds},
          ${toStorableJson(settings.definition)}::jsonb, ${seal(organizationId, settings.headers)},
          ${settings.environment}, ${owner?.kind === 'user' ? owner.id : null},
          ${owner?.kind === 'team' ? owner.id : null}::bigint, ${settings.isEnabled}, ${userId}, ${at}, ${at}, ${at})
        RETURNING id`.first(db);
      return (await find(organizationId, row!.id))!;
    },

    /**
     * What was counted begins anew, and it is due at once; a check on its way no longer counts. null when there is no such
     * monitor.
     */
    async update(
      organizationId: number,
      id: number,
      settings: UptimeMonitorSettings & { headers: UptimeHeaders },
      atMs: number,
    ): Promise<UptimeMonitor | null> {
      const at = new Date(atMs);
      const { owner } = settings;
      await sql`
        UPDATE uptime_monitors SET project_id = ${settings.projectId}, name = ${settings.name}, url = ${settings.url},
          interval_seconds = ${settings.intervalSeconds},
          definition = ${toStorableJson(settings.definition)}::jsonb, secret = ${seal(organizationId, settings.headers)},
          environment = ${settings.environment}, owner_user_id = ${owner?.kind === 'user' ? owner.id : null},
          owner_team_id = ${owner?.kind === 'team' ? owner.id : null}::bigint, is_enabled = ${settings.isEnabled},
          updated_at = ${at}, next_check_at = ${at}, is_retry = false, lease_token = NULL, lease_until = NULL,
          failures_in_row = 0, successes_in_row = 0, certificate_expires_at = NULL,
          state = CASE WHEN ${settings.isEnabled} THEN state ELSE 'new' END,
          state_since = CASE WHEN ${settings.isEnabled} THEN state_since END
        WHERE organization_id = ${organizationId} AND id = ${id}`.execute(db);
      return await find(organizationId, id);
    },

    /** False when there is none. */
    async remove(organizationId: number, id: number): Promise<boolean> {
      const removed = await affectedRows`
        DELETE FROM uptime_monitors WHERE organization_id = ${organizationId} AND id = ${id}`.execute(db);
      return removed === 1;
    },
  };
}

export type UptimeMonitorStore = ReturnType<typeof createUptimeMonitorStore>;

/** The column `secret` without its encryption; null when it was encrypted with another secret of the instance. */
export function openUptimeHeaders(
  box: SecretBox,
  organizationId: number,
  secret: string | null,
): UptimeHeaders | null {
  if (secret === null) return {};
  const text = box.open(secret, String(organizationId));
  return text === null ? null : (JSON.parse(text) as UptimeHeaders);
}

/** Columns of `m` and what WITH_OWNER joins, as `UptimeMonitor`. */
export const UPTIME_MONITOR = sql`m.id, m.organization_id, m.project_id, m.name, m.url, m.interval_seconds,
  m.definition, m.environment,
  CASE WHEN owner_user.id IS NOT NULL
      THEN json_build_object('kind', 'user', 'id', owner_user.id, 'name', owner_user.name)
    WHEN owner_team.id IS NOT NULL
      THEN json_build_object('kind', 'team', 'id', owner_team.id::text, 'name', owner_team.name) END AS owner,
  m.is_enabled, m.state, m.state_since, m.failures_in_row, m.successes_in_row, m.last_checked_at, m.last_problem,
  m.last_duration_ms, m.certificate_expires_at, m.created_at, m.updated_at`;

export const WITH_OWNER = sql`
  LEFT JOIN users AS owner_user ON owner_user.id = m.owner_user_id
  LEFT JOIN teams AS owner_team ON owner_team.id = m.owner_team_id`;
