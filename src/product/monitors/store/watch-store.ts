import { type Kysely, sql } from 'kysely';
import type { MonitorState } from '#domain/monitors/monitor-state.ts';
import type { MonitorConfig } from '#protocol/monitor-config.ts';
import { affectedRows, query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';
import {
  ENVIRONMENTS_PER_MONITOR_MAX,
  MONITORS_PER_ORGANIZATION_MAX,
  type Monitor,
  type MonitorEnvironment,
  type MonitorSettings,
} from '../monitor.ts';
import type { WatchFact } from '../watch-fact.ts';
import { ENVIRONMENT_COLUMNS, MONITOR_COLUMNS } from './monitor-columns.ts';

/** A check-in that digest has stored. */
export type QueuedCheckIn = {
  organizationId: number;
  projectId: number;
  slug: string;
  environment: string;
  /** null: it is about the latest run that is open. */
  checkInId: string | null;
  status: 'in_progress' | 'ok' | 'error';
  /** Milliseconds since the epoch. */
  at: number;
  traceId: string | null;
  config: MonitorConfig | null;
};

export type WatchedEnvironment = MonitorEnvironment & {
  /** Since when another schedule counts that has not been looked at; null for none. */
  rescheduledAt: number | null;
};

/** So that of several processes one watches at a time. */
const WATCH_LOCK = 7_270_002;

/** What watching monitors reads and writes, in one transaction at a time. Source: PostgreSQL. */
export function createMonitorWatchStore(db: Kysely<Database>) {
  return {
    /** Until the end of the transaction; false while somebody else has it. */
    async lock(): Promise<boolean> {
      const row = await query<{ isMine: boolean }>`
        SELECT pg_try_advisory_xact_lock(${WATCH_LOCK}) AS is_mine`.first(db);
      return row?.isMine === true;
    },

    /** Takes check-ins that arrived by a moment out of the queue, in their order, and any that is too young to be true. */
    async takeCheckIns(
      untilMs: number,
      tooYoungMs: number,
      limit: number,
    ): Promise<readonly QueuedCheckIn[]> {
      const rows = await query<QueuedCheckIn & { id: number }>`
        DELETE FROM monitor_check_ins
        WHERE id IN (SELECT id FROM monitor_check_ins
          WHERE at <= ${new Date(untilMs)} OR at > ${new Date(tooYoungMs)} ORDER BY id LIMIT ${limit})
        RETURNING id, organization_id, project_id, slug, environment, check_in_id, status, at, trace_id, config`.execute(
        db,
      );
      return rows.sort((a, b) => a.id - b.id);
    },

    /** Monitors by project and slug, made where they are missing and there is room for them. */
    async openMonitors(
      wanted: readonly Pick<QueuedCheckIn, 'organizationId' | 'projectId' | 'slug'>[],
      nowMs: number,
    ): Promise<readonly Monitor[]> {
      const rows = toStorableJson(
        wanted.map(({ organizationId, projectId, slug }) => ({ organizationId, projectId, slug })),
      );
      const asRows = sql`json_to_recordset(${rows}::json) AS w ("organizationId" bigint, "projectId" bigint, slug text)`;
      const select = () =>
        query<Monitor>`
          SELECT ${MONITOR_COLUMNS} FROM monitors m
          JOIN ${asRows} ON m.project_id = w."projectId" AND m.slug = w.slug
          ORDER BY m.id FOR UPDATE OF m`.execute(db);
      const known = await select();
      if (known.length === wanted.length) return known;
      const made = await affectedRows`
        INSERT INTO monitors (organization_id, project_id, slug, name, created_at)
        SELECT organization_id, id, slug, slug, ${new Date(nowMs)} FROM (
          SELECT p.organization_id, p.id, w.slug,
            row_number() OVER (PARTITION BY p.organization_id) + coalesce(known.monitors, 0) AS place
          FROM ${asRows}
          JOIN projects p ON p.id = w."projectId"
          LEFT JOIN (SELECT organization_id, count(*) AS monitors FROM monitors GROUP BY organization_id) AS known
            ON known.organization_id = p.organization_id
          WHERE NOT EXISTS (SELECT FROM monitors m WHERE m.project_id = p.id AND m.slug = w.slug)
        ) AS missing
        WHERE place <= ${MONITORS_PER_ORGANIZATION_MAX}
        ON CONFLICT DO NOTHING`.execute(db);
      return made === 0 ? known : await select();
    },

    /** Environments of monitors by name, made where they are missing and there is room for them. */
    async openEnvironments(
      wanted: readonly { monitorId: number; name: string }[],
      nowMs: number,
    ): Promise<readonly WatchedEnvironment[]> {
      const rows = toStorableJson(wanted);
      const asRows = sql`json_to_recordset(${rows}::json) AS w ("monitorId" bigint, name text)`;
      const select = () =>
        query<WatchedEnvironment>`
          SELECT ${ENVIRONMENT_COLUMNS}, e.rescheduled_at FROM monitor_environments e
          JOIN ${asRows} ON e.monitor_id = w."monitorId" AND e.name = w.name
          ORDER BY e.id FOR UPDATE OF e`.execute(db);
      const known = await select();
      if (known.length === wanted.length) return known;
      const made = await affectedRows`
        INSERT INTO monitor_environments (monitor_id, name, created_at)
        SELECT "monitorId", name, ${new Date(nowMs)} FROM (
          SELECT w."monitorId", w.name,
            row_number() OVER (PARTITION BY w."monitorId")
              + (SELECT count(*) FROM monitor_environments e WHERE e.monitor_id = w."monitorId") AS place
          FROM ${asRows}
          WHERE NOT EXISTS (SELECT FROM monitor_environments e WHERE e.monitor_id = w."monitorId" AND e.name = w.name)
        ) AS missing
        WHERE place <= ${ENVIRONMENTS_PER_MONITOR_MAX}
        ON CONFLICT DO NOTHING`.execute(db);
      return made === 0 ? known : await select();
    },

    /** Environments in which something was to be looked for before the moment, the longest due first. */
    async takeDue(
      beforeMs: number,
      limit: number,
    ): Promise<readonly { monitor: Monitor; environment: WatchedEnvironment }[]> {
      const environments = await query<WatchedEnvironment>`
        SELECT ${ENVIRONMENT_COLUMNS}, e.rescheduled_at FROM monitor_environments e
        WHERE e.due_at < ${new Date(beforeMs)}
        ORDER BY e.due_at LIMIT ${limit} FOR UPDATE OF e`.execute(db);
      if (environments.length === 0) return [];
      const monitors = await query<Monitor>`
        SELECT ${MONITOR_COLUMNS} FROM monitors m
        WHERE m.id = ANY(${environments.map(({ monitorId }) => monitorId)}::bigint[])`.execute(db);
      const byId = new Map(monitors.map((monitor) => [monitor.id, monitor]));
      return environments.map((environment) => ({ monitor: byId.get(environment.monitorId)!, environment }));
    },

    async saveStates(
      states: readonly { id: number; state: MonitorState; dueAt: number | null }[],
    ): Promise<void> {
      if (states.length === 0) return;
      const rows = states.map(({ id, state, dueAt }) => ({
        id,
        first_check_in_at: dateOf(state.firstCheckInAt),
        last_check_in_at: dateOf(state.lastCheckInAt),
        last_ok_at: dateOf(state.lastOkAt),
        last_result_at: dateOf(state.lastResultAt),
        next_expected_at: dateOf(state.nextExpectedAt),
        deadline_at: dateOf(state.deadlineAt),
        failures: state.failures,
        successes: state.successes,
        incident_id: state.incident?.id ?? null,
        incident_started_at: dateOf(state.incident?.startedAt ?? null),
        incident_told_at: dateOf(state.incident?.toldAt ?? null),
        runs: state.runs,
        due_at: dateOf(dueAt),
      }));
      await sql`
        UPDATE monitor_environments AS e SET first_check_in_at = s.first_check_in_at,
          last_check_in_at = s.last_check_in_at, last_ok_at = s.last_ok_at, last_result_at = s.last_result_at,
          next_expected_at = s.next_expected_at, deadline_at = s.deadline_at, failures = s.failures,
          successes = s.successes, incident_id = s.incident_id, incident_started_at = s.incident_started_at,
          incident_told_at = s.incident_told_at, runs = s.runs, due_at = s.due_at, rescheduled_at = NULL
        FROM json_to_recordset(${toStorableJson(rows)}::json) AS s (id bigint, first_check_in_at timestamptz,
          last_check_in_at timestamptz, last_ok_at timestamptz, last_result_at timestamptz,
          next_expected_at timestamptz, deadline_at timestamptz, failures integer, successes integer, incident_id text,
          incident_started_at timestamptz, incident_told_at timestamptz, runs jsonb, due_at timestamptz)
        WHERE e.id = s.id`.execute(db);
    },

    /** Takes over what SDKs sent; all environments of a monitor with other settings go by them from the moment on. */
    async saveSentSettings(
      sent: readonly (MonitorSettings & {
        id: number;
        configProblem: string | null;
        rescheduledAt: number | null;
      })[],
    ): Promise<void> {
      if (sent.length === 0) return;
      const rows = toStorableJson(
        sent.map(({ rescheduledAt, ...settings }) => ({ ...settings, rescheduledAt: dateOf(rescheduledAt) })),
      );
      await sql`
        WITH sent AS (
          SELECT * FROM json_to_recordset(${rows}::json) AS s (id bigint, schedule jsonb, "timeZone" text,
            "checkinMargin" integer, "maxRuntime" integer, "failureIssueThreshold" integer,
            "recoveryThreshold" integer, "configProblem" text, "rescheduledAt" timestamptz)
        ), changed AS (
          UPDATE monitor_environments e SET rescheduled_at = s."rescheduledAt", due_at = s."rescheduledAt"
          FROM sent s
          WHERE e.monitor_id = s.id AND s."rescheduledAt" IS NOT NULL AND e.first_check_in_at IS NOT NULL
        )
        UPDATE monitors m SET schedule = s.schedule, time_zone = s."timeZone", checkin_margin = s."checkinMargin",
          max_runtime = s."maxRuntime", failure_issue_threshold = s."failureIssueThreshold",
          recovery_threshold = s."recoveryThreshold", config_problem = s."configProblem", is_upserting = true
        FROM sent s WHERE m.id = s.id`.execute(db);
    },

    /** Whom an SDK named, unless the monitor has an owner: a member or a team of its organization. */
    async saveSentOwner(
      monitor: Pick<Monitor, 'id' | 'organizationId'>,
      owner: { userId: string | null; teamId: number | null },
    ): Promise<void> {
      await sql`
        UPDATE monitors SET
          owner_user_id = (SELECT user_id FROM memberships
            WHERE organization_id = ${monitor.organizationId} AND user_id = ${owner.userId}),
          owner_team_id = (SELECT id FROM teams
            WHERE organization_id = ${monitor.organizationId} AND id = ${owner.teamId}::bigint)
        WHERE id = ${monitor.id} AND owner_user_id IS NULL AND owner_team_id IS NULL`.execute(db);
    },

    async addFacts(facts: readonly WatchFact[], nowMs: number): Promise<void> {
      if (facts.length === 0) return;
      await sql`
        INSERT INTO monitor_facts (fact, created_at)
        SELECT fact, ${new Date(nowMs)} FROM ROWS FROM (jsonb_array_elements(${toStorableJson(facts)}::jsonb))
          WITH ORDINALITY AS f (fact, place) ORDER BY place`.execute(db);
    },

    /** Oldest first. */
    listFacts: (
      limit: number,
      afterId = 0,
    ): Promise<readonly { id: number; fact: WatchFact; createdAt: number }[]> =>
      query<{ id: number; fact: WatchFact; createdAt: number }>`
        SELECT id, fact, created_at FROM monitor_facts WHERE id > ${afterId} ORDER BY id LIMIT ${limit}`.execute(
        db,
      ),

    async deleteFacts(ids: readonly number[]): Promise<void> {
      await sql`DELETE FROM monitor_facts WHERE id = ANY(${ids}::bigint[])`.execute(db);
    },

    /** At most so many wait to be told. */
    async countFacts(): Promise<number> {
      const row = await query<{ waiting: number }>`
        SELECT coalesce(max(id) - min(id) + 1, 0) AS waiting FROM monitor_facts`.first(db);
      return Number(row?.waiting ?? 0);
    },

    /** The incident that an environment of a monitor has now; null for none. */
    async findIncident(environmentId: number): Promise<string | null> {
      const row = await query<{ incidentId: string | null }>`
        SELECT incident_id FROM monitor_environments WHERE id = ${environmentId}`.first(db);
      return row?.incidentId ?? null;
    },
  };
}

export type MonitorWatchStore = ReturnType<typeof createMonitorWatchStore>;

const dateOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
