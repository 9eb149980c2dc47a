import { sql, type Transaction } from 'kysely';
import type { DigestedCheckIn } from '#protocol/telemetry.ts';
import { notifyCheckIns } from '#storage/sql/notices.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';

/** Check-ins that wait for the jobs role. While more do, new ones are stored but not looked at. */
const CHECK_INS_WAITING_MAX = 5_000_000;

const NO_ID = '0'.repeat(32);

/** Hands check-ins to who watches monitors, in the transaction that moves the position: each exactly once. */
export async function queueCheckIns(
  transaction: Transaction<Database>,
  checkIns: readonly DigestedCheckIn[],
): Promise<void> {
  if (checkIns.length === 0) return;
  const rows = checkIns.map((row) => ({
    organization_id: row.organizationId,
    project_id: row.projectId,
    slug: row.monitorSlug,
    environment: row.environment,
    check_in_id: row.checkInId === NO_ID ? null : row.checkInId,
    status: row.status,
    at: new Date(row.occurredAt),
    trace_id: row.traceId,
    config: row.monitorConfig,
  }));
  await sql`
    INSERT INTO monitor_check_ins (organization_id, project_id, slug, environment, check_in_id, status, at, trace_id, config)
    SELECT organization_id, project_id, slug, environment, check_in_id, status, at, trace_id, config
    FROM ROWS FROM (json_to_recordset(${toStorableJson(rows)}::json) AS (organization_id bigint, project_id bigint,
      slug text, environment text, check_in_id text, status text, at timestamptz, trace_id text, config jsonb))
      WITH ORDINALITY AS row_of (organization_id, project_id, slug, environment, check_in_id, status, at, trace_id,
      config, place)
    WHERE (SELECT coalesce(max(id) - min(id), 0) FROM monitor_check_ins) < ${CHECK_INS_WAITING_MAX}
    ORDER BY place`.execute(transaction);
  await notifyCheckIns(transaction);
}
