import { randomBytes } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { UptimeIncident } from '#domain/uptime/incident.ts';
import type { UptimeHeaders, UptimeMonitor } from '#domain/uptime/monitor.ts';
import type { SecretBox } from '#lib/secret-box.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';
import { openUptimeHeaders, UPTIME_MONITOR, WITH_OWNER } from './uptime-monitor-store.ts';

/** A monitor that is due, for whoever took it. */
export type DueMonitor = UptimeMonitor & {
  /** null when they cannot be decrypted. */
  headers: UptimeHeaders | null;
  /** Milliseconds since the epoch: when it was due. */
  scheduledAt: number;
  isRetry: boolean;
  leaseToken: string;
};

/** What a check changes of its monitor. */
export type FinishedCheck = Pick<
  UptimeMonitor,
  'state' | 'failuresInRow' | 'successesInRow' | 'lastProblem' | 'lastDurationMs' | 'certificateExpiresAt'
> & {
  checkedAt: number;
  nextCheckAt: number;
  isNextRetry: boolean;
  opens: readonly Pick<UptimeIncident, 'kind' | 'startedAt' | 'evidence' | 'eventId'>[];
  ends: readonly { kind: UptimeIncident['kind']; endedAt: number }[];
};

/** Monitors whose time has come, shared by all processes that check. Source: PostgreSQL. */
export function createUptimeLeaseStore(db: Kysely<Database>, box: SecretBox) {
  return {
    /** The longest due first, at most `limit`; nobody else gets them for their timeout and `leaseMs`. */
    async takeDue(
      nowMs: number,
      { limit, leaseMs }: { limit: number; leaseMs: number },
    ): Promise<DueMonitor[]> {
      const now = new Date(nowMs);
      const token = randomBytes(12).toString('hex');
      const rows = await query<Omit<DueMonitor, 'headers'> & { secret: string | null }>`
        WITH due AS (
          SELECT id FROM uptime_monitors
          WHERE is_enabled AND next_check_at <= ${now} AND (lease_until IS NULL OR lease_until <= ${now})
          ORDER BY next_check_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED
        ), m AS (
          UPDATE uptime_monitors SET lease_token = ${token}, lease_until = ${now}::timestamptz
            + make_interval(secs => (definition ->> 'timeoutSeconds')::int + ${leaseMs / 1_000}::double precision)
          FROM due WHERE uptime_monitors.id = due.id RETURNING uptime_monitors.*
        )
        SELECT ${UPTIME_MONITOR}, m.secret, m.next_check_at AS scheduled_at, m.is_retry, m.lease_token
        FROM m ${WITH_OWNER} ORDER BY m.next_check_at, m.id`.execute(db);
      return rows.map(({ secret, ...monitor }) => ({
        ...monitor,
        headers: openUptimeHeaders(box, monitor.organizationId, secret),
      }));
    },

    /** False, and nothing is changed, when somebody else has it by now, or it was edited or deleted. */
    async finish(
      due: Pick<DueMonitor, 'id' | 'organizationId' | 'projectId' | 'leaseToken'>,
      check: FinishedCheck,
    ): Promise<boolean> {
      if (check.opens.length + check.ends.length === 0) return await note(db, due, check);
      return await db.transaction().execute(async (transaction) => {
        if (!(await note(transaction, due, check))) return false;
        for (const incident of check.opens) await open(transaction, due, incident);
        for (const { kind, endedAt } of check.ends) {
          await sql`
            UPDATE uptime_incidents SET ended_at = ${new Date(endedAt)}
            WHERE monitor_id = ${due.id} AND kind = ${kind} AND ended_at IS NULL`.execute(transaction);
        }
        return true;
      });
    },
  };
}

export type UptimeLeaseStore = ReturnType<typeof createUptimeLeaseStore>;

async function note(
  db: Kysely<Database>,
  { id, leaseToken }: Pick<DueMonitor, 'id' | 'leaseToken'>,
  check: FinishedCheck,
): Promise<boolean> {
  const at = new Date(check.checkedAt);
  const row = await query<{ id: number }>`
    UPDATE uptime_monitors SET
      state_since = CASE WHEN state = ${check.state} THEN state_since ELSE ${at}::timestamptz END,
      state = ${check.state}, failures_in_row = ${check.failuresInRow}, successes_in_row = ${check.successesInRow},
      last_checked_at = ${at}, last_problem = ${check.lastProblem}, last_duration_ms = ${check.lastDurationMs},
      certificate_expires_at = ${check.certificateExpiresAt === null ? null : new Date(check.certificateExpiresAt)},
      next_check_at = ${new Date(check.nextCheckAt)}, is_retry = ${check.isNextRetry},
      lease_until = NULL, lease_token = NULL
    WHERE id = ${id} AND lease_token = ${leaseToken} RETURNING id`.first(db);
  return row !== null;
}

/** Incidents that are kept of a monitor; the oldest go. */
const INCIDENTS_PER_MONITOR_MAX = 1_000;

async function open(
  transaction: Transaction<Database>,
  { id, organizationId, projectId }: Pick<DueMonitor, 'id' | 'organizationId' | 'projectId'>,
  { kind, startedAt, evidence, eventId }: FinishedCheck['opens'][number],
): Promise<void> {
  await sql`
    INSERT INTO uptime_incidents (organization_id, project_id, monitor_id, kind, started_at, evidence, event_id)
    VALUES (${organizationId}, ${projectId}, ${id}, ${kind}, ${new Date(startedAt)},
      ${toStorableJson(evidence)}::jsonb, ${eventId})
    ON CONFLICT DO NOTHING`.execute(transaction);
  await sql`
    DELETE FROM uptime_incidents WHERE monitor_id = ${id} AND id IN (
      SELECT id FROM uptime_incidents WHERE monitor_id = ${id} AND ended_at IS NOT NULL
      ORDER BY started_at DESC OFFSET ${INCIDENTS_PER_MONITOR_MAX})`.execute(transaction);
}
