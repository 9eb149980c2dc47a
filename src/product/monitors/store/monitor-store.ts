import { type Kysely, type RawBuilder, sql } from 'kysely';
import { conflict } from '#lib/errors.ts';
import { refuseTaken } from '#storage/sql/postgres-errors.ts';
import { affectedRows, query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import {
  MONITOR_RANKS,
  type Monitor,
  type MonitorEnvironment,
  type MonitorRank,
  type MonitorSettings,
} from '../monitor.ts';
import { ENVIRONMENT_COLUMNS, MONITOR_COLUMNS } from './monitor-columns.ts';

export type MonitorFields = MonitorSettings &
  Pick<Monitor, 'slug' | 'name' | 'projectId' | 'ownerUserId' | 'ownerTeamId' | 'isDisabled' | 'isMuted'>;

/** Whom to ask about a monitor. */
export type MonitorOwnerName = { type: 'user' | 'team'; id: string; name: string };

export type RankedMonitor = Monitor & {
  rank: MonitorRank;
  owner: MonitorOwnerName | null;
  environments: readonly MonitorEnvironment[];
};

/** Where a page of the list ended. */
export type MonitorPlace = { rank: number; name: string; id: number };

export type MonitorQuery = {
  projectIds: readonly number[];
  /** Of any of them; empty for all. */
  environments: readonly string[];
  /** A part of a name or slug, in either case; empty for all. */
  text: string;
  after: MonitorPlace | null;
  limit: number;
};

/** Monitors and how they stand. Every call is scoped by organization. Source: PostgreSQL. */
export function createMonitorStore(db: Kysely<Database>) {
  const read = async (
    where: RawBuilder<unknown>,
    rest: RawBuilder<unknown>,
  ): Promise<readonly RankedMonitor[]> => {
    const monitors = await query<Monitor & { place: number; owner: MonitorOwnerName | null }>`
      SELECT * FROM (SELECT ${MONITOR_COLUMNS}, ${PLACE} AS place, ${OWNER} AS owner FROM monitors m WHERE ${where}) AS m
      ${rest}`.execute(db);
    if (monitors.length === 0) return [];
    const environments = await query<MonitorEnvironment>`
      SELECT ${ENVIRONMENT_COLUMNS} FROM monitor_environments e
      WHERE e.monitor_id = ANY(${monitors.map(({ id }) => id)}::bigint[])
      ORDER BY e.name <> 'production', e.name`.execute(db);
    const byMonitor = Map.groupBy(environments, ({ monitorId }) => monitorId);
    return monitors.map(({ place, ...monitor }) => ({
      ...monitor,
      rank: RANK_NAMES[place]!,
      environments: byMonitor.get(monitor.id) ?? [],
    }));
  };
  const taken = (slug: string) => () =>
    conflict(`The project already has a monitor "${slug}": choose another slug`, 'slug');

  return {
    /** The worst first, then by name. */
    list: (
      organizationId: number,
      { projectIds, environments, text, after, limit }: MonitorQuery,
    ): Promise<readonly RankedMonitor[]> =>
      read(
        sql`m.organization_id = ${organizationId} AND m.project_id = ANY(${projectIds}::bigint[])
          AND (${text} = '' OR strpos(lower(m.name), lower(${text})) > 0 OR strpos(m.slug, lower(${text})) > 0)
          AND (${environments.length === 0} OR EXISTS (SELECT FROM monitor_environments e
            WHERE e.monitor_id = m.id AND e.name = ANY(${environments}::text[])))`,
        sql`${
          after === null
            ? sql``
            : sql`WHERE (place, lower(name), id) > (${after.rank}, lower(${after.name}), ${after.id}::bigint)`
        }
        ORDER BY place, lower(name), id LIMIT ${limit}`,
      ),

    async find(organizationId: number, monitorId: number): Promise<RankedMonitor | null> {
      const where = sql`m.organization_id = ${organizationId} AND m.id = ${monitorId}`;
      return (await read(where, sql``))[0] ?? null;
    },

    /** By slug or UUID in the projects, the oldest project's first. */
    findBySlug: (
      organizationId: number,
      projectIds: readonly number[],
      slugOrGuid: string,
    ): Promise<readonly RankedMonitor[]> =>
      read(
        sql`m.organization_id = ${organizationId} AND m.project_id = ANY(${projectIds}::bigint[])
          AND (m.slug = ${slugOrGuid} OR m.guid::text = ${slugOrGuid.toLowerCase()})`,
        sql`ORDER BY project_id, id`,
      ),

    /** Those of the project that have the slugs. */
    findSettings: (
      organizationId: number,
      projectId: number,
      slugs: readonly string[],
    ): Promise<readonly Monitor[]> =>
      query<Monitor>`
        SELECT ${MONITOR_COLUMNS} FROM monitors m
        WHERE m.organization_id = ${organizationId} AND m.project_id = ${projectId}
          AND m.slug = ANY(${slugs}::text[])`.execute(db),

    async count(organizationId: number): Promise<number> {
      const row = await query<{ monitors: number }>`
        SELECT count(*) AS monitors FROM monitors WHERE organization_id = ${organizationId}`.first(db);
      return Number(row?.monitors ?? 0);
    },

    /** Throws Conflict when the project has one with the slug. */
    create: (organizationId: number, fields: MonitorFields, atMs: number): Promise<number> =>
      refuseTaken(null, taken(fields.slug), async () => {
        const row = await query<{ id: number }>`
          INSERT INTO monitors (organization_id, project_id, slug, name, schedule, time_zone, checkin_margin, max_runtime,
            failure_issue_threshold, recovery_threshold, owner_user_id, owner_team_id, is_disabled, is_muted, created_at)
          VALUES (${organizationId}, ${fields.projectId}, ${fields.slug}, ${fields.name}, ${scheduleOf(fields)}::jsonb,
            ${fields.timeZone}, ${fields.checkinMargin}, ${fields.maxRuntime}, ${fields.failureIssueThreshold},
            ${fields.recoveryThreshold}, ${fields.ownerUserId}, ${fields.ownerTeamId}, ${fields.isDisabled},
            ${fields.isMuted}, ${new Date(atMs)})
          RETURNING id`.first(db);
        return row!.id;
      }),

    /**
     * `isRescheduled`: another schedule counts from now on, or watching begins or ends.
     */
    async update(
      monitorId: number,
      fields: MonitorFields,
      { isRescheduled, atMs }: { isRescheduled: boolean; atMs: number },
    ): Promise<void> {
      await sql`
          UPDATE monitors SET name = ${fields.name}, schedule = ${scheduleOf(fields)}::jsonb, time_zone = ${fields.timeZone},
            checkin_margin = ${fields.checkinMargin}, max_runtime = ${fields.maxRuntime},
            failure_issue_threshold = ${fields.failureIssueThreshold},
            recovery_threshold = ${fields.recoveryThreshold}, owner_user_id = ${fields.ownerUserId},
            owner_team_id = ${fields.ownerTeamId}, is_disabled = ${fields.isDisabled}, is_muted = ${fields.isMuted},
            config_problem = CASE WHEN ${isRescheduled} THEN NULL ELSE config_problem END
          WHERE id = ${monitorId}`.execute(db);
      if (isRescheduled) await reschedule(db, sql`monitor_id = ${monitorId}`, atMs);
    },

    async delete(organizationId: number, monitorId: number): Promise<boolean> {
      const deleted = await affectedRows`
        DELETE FROM monitors WHERE organization_id = ${organizationId} AND id = ${monitorId}`.execute(db);
      return deleted > 0;
    },

    async updateEnvironment(
      environment: Pick<MonitorEnvironment, 'id' | 'isDisabled' | 'isMuted'>,
      atMs: number,
    ): Promise<void> {
      const { id, isDisabled, isMuted } = environment;
      await sql`
        UPDATE monitor_environments SET is_disabled = ${isDisabled}, is_muted = ${isMuted} WHERE id = ${id}`.execute(
        db,
      );
      await reschedule(db, sql`id = ${id}`, atMs);
    },

    /** Its next check-in makes it anew. */
    async deleteEnvironment(environmentId: number): Promise<void> {
      await sql`DELETE FROM monitor_environments WHERE id = ${environmentId}`.execute(db);
    },
  };
}

export type MonitorStore = ReturnType<typeof createMonitorStore>;

/** Whoever watches works out what is expected from the moment on. */
async function reschedule(db: Kysely<Database>, which: RawBuilder<unknown>, atMs: number): Promise<void> {
  const at = new Date(atMs);
  await sql`
    UPDATE monitor_environments SET rescheduled_at = ${at}, due_at = ${at}
    WHERE ${which} AND first_check_in_at IS NOT NULL`.execute(db);
}

const scheduleOf = ({ schedule }: MonitorSettings): string | null =>
  schedule === null ? null : JSON.stringify(schedule);

const RANK_NAMES = Object.keys(MONITOR_RANKS) as MonitorRank[];

const someEnvironment = (condition: RawBuilder<unknown>) =>
  sql`EXISTS (SELECT FROM monitor_environments e WHERE e.monitor_id = m.id AND ${condition})`;
const isWatched = sql`NOT e.is_disabled AND NOT e.is_muted`;

const OWNER = sql`
  coalesce(
    (SELECT json_build_object('type', 'user', 'id', u.id, 'name', u.name) FROM users u WHERE u.id = m.owner_user_id),
    (SELECT json_build_object('type', 'team', 'id', t.id::text, 'name', t.name) FROM teams t
      WHERE t.id = m.owner_team_id))`;

/** The place among `MONITOR_RANKS`. */
const PLACE = sql`
  CASE
    WHEN m.is_disabled THEN ${sql.lit(MONITOR_RANKS.disabled)}
    WHEN m.is_muted THEN ${sql.lit(MONITOR_RANKS.muted)}
    WHEN m.schedule IS NOT NULL AND ${someEnvironment(sql`${isWatched} AND e.incident_id IS NOT NULL`)}
      THEN ${sql.lit(MONITOR_RANKS.failing)}
    WHEN m.schedule IS NOT NULL AND ${someEnvironment(sql`${isWatched} AND e.failures > 0`)}
      THEN ${sql.lit(MONITOR_RANKS.failed)}
    WHEN m.config_problem IS NOT NULL THEN ${sql.lit(MONITOR_RANKS.misconfigured)}
    WHEN m.schedule IS NULL THEN ${sql.lit(MONITOR_RANKS.unscheduled)}
    WHEN ${someEnvironment(sql`e.first_check_in_at IS NOT NULL`)} THEN ${sql.lit(MONITOR_RANKS.ok)}
    ELSE ${sql.lit(MONITOR_RANKS.waiting)}
  END`;
