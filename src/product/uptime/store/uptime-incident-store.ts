import { type Kysely, sql } from 'kysely';
import type { UptimeIncident } from '#domain/uptime/incident.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';

/** An incident of which not everybody knows yet. */
export type UntoldIncident = UptimeIncident & {
  monitorName: string;
  environment: string | null;
  isStartTold: boolean;
  /** Whether the same began anew since. */
  isSuperseded: boolean;
};

/** Incidents of uptime monitors. Source: PostgreSQL. */
export function createUptimeIncidentStore(db: Kysely<Database>) {
  return {
    /** The newest first, at most `limit`, that had not ended before a moment. */
    list: (
      organizationId: number,
      { monitorIds, sinceMs, limit }: { monitorIds: readonly number[]; sinceMs: number; limit: number },
    ): Promise<readonly UptimeIncident[]> =>
      query<UptimeIncident>`
        SELECT ${INCIDENT} FROM uptime_incidents AS i
        WHERE i.organization_id = ${organizationId} AND i.monitor_id = ANY(${monitorIds}::bigint[])
          AND (i.ended_at IS NULL OR i.ended_at >= ${new Date(sinceMs)})
        ORDER BY i.started_at DESC, i.id DESC LIMIT ${limit}`.execute(db),

    /** Ends what is open of a monitor. */
    async endAll(organizationId: number, monitorId: number, atMs: number): Promise<void> {
      await sql`
        UPDATE uptime_incidents SET ended_at = ${new Date(atMs)}
        WHERE organization_id = ${organizationId} AND monitor_id = ${monitorId} AND ended_at IS NULL`.execute(
        db,
      );
    },

    /** Of which the start or the end has to be told, the oldest first. */
    listUntold: (limit: number): Promise<readonly UntoldIncident[]> =>
      query<UntoldIncident>`
        SELECT ${INCIDENT}, m.name AS monitor_name, m.environment, i.start_told_at IS NOT NULL AS is_start_told,
          EXISTS (SELECT FROM uptime_incidents AS later WHERE later.monitor_id = i.monitor_id AND later.kind = i.kind
            AND later.id > i.id) AS is_superseded
        FROM uptime_incidents AS i JOIN uptime_monitors AS m ON m.id = i.monitor_id
        WHERE i.start_told_at IS NULL OR (i.ended_at IS NOT NULL AND i.end_told_at IS NULL)
        ORDER BY i.started_at, i.id LIMIT ${limit}`.execute(db),

    async noteStartTold(id: number, atMs: number): Promise<void> {
      await sql`UPDATE uptime_incidents SET start_told_at = ${new Date(atMs)} WHERE id = ${id}`.execute(db);
    },

    async noteEndTold(id: number, atMs: number): Promise<void> {
      await sql`UPDATE uptime_incidents SET end_told_at = ${new Date(atMs)} WHERE id = ${id}`.execute(db);
    },
  };
}

export type UptimeIncidentStore = ReturnType<typeof createUptimeIncidentStore>;

const INCIDENT = sql`i.id, i.organization_id, i.project_id, i.monitor_id, i.kind, i.started_at, i.ended_at, i.evidence,
  i.event_id`;
