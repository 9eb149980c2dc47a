import { type Kysely, sql, type Transaction } from 'kysely';
import type { Incident } from '#storage/ports/deliveries.ts';
import { wakeSender } from './join-deliveries.ts';
import type { Database } from './schema.ts';
import { toStorableJson } from './storable-json.ts';

/** Each is a request of its own, and all of a message have ten seconds. */
const INCIDENTS_PER_MESSAGE = 10;

/**
 * Issues were resolved or archived: pagers that were told of them, as far as the log goes back, are to close what is over.
 * Call it in the transaction that takes the news.
 */
export async function closeIncidents(
  transaction: Transaction<Database>,
  activityIds: readonly number[],
  nowMs: number,
): Promise<void> {
  if (activityIds.length === 0) return;
  const { rows } = await sql<OverRow>`
    WITH ended AS (
      SELECT DISTINCT issues.id FROM activities JOIN issues ON issues.id = activities.issue_id
      WHERE activities.id = ANY(${activityIds}::bigint[]) AND issues.status <> 'unresolved'
    ), told AS (
      SELECT DISTINCT deliveries.id, deliveries.destination_id, deliveries.organization_id
      FROM ended JOIN alert_firings ON alert_firings.issue_id = ended.id
      JOIN delivery_firings ON firing_id = alert_firings.id
      JOIN deliveries ON deliveries.id = delivery_id
      JOIN destinations ON destinations.id = deliveries.destination_id
      WHERE destinations.kind = 'pagerduty' AND deliveries.kind = 'alert' AND deliveries.state IN ('sealed', 'sent')
    ), incidents AS (
      SELECT told.id, told.destination_id, told.organization_id, count(DISTINCT issues.id) AS issues, min(issues.id) AS issue_id
      FROM told JOIN delivery_firings ON delivery_id = told.id
      JOIN alert_firings ON alert_firings.id = firing_id
      JOIN issues ON issues.id = alert_firings.issue_id
      GROUP BY told.id, told.destination_id, told.organization_id
      HAVING bool_and(issues.status <> 'unresolved')
    )
    SELECT DISTINCT organization_id, destination_id, CASE WHEN issues = 1 THEN issue_id END AS issue_id,
      CASE WHEN issues > 1 THEN id END AS delivery_id
    FROM incidents`.execute(transaction);
  const messages = [...Map.groupBy(rows, (row) => row.destination_id).values()].flatMap(toMessages);
  if (messages.length === 0) return;
  const now = new Date(nowMs);
  await sql`
    INSERT INTO deliveries (id, organization_id, kind, destination_id, subject, due_at, created_at)
    SELECT gen_random_uuid(), organization_id, 'closing', destination_id, subject, ${now}::timestamptz, ${now}::timestamptz
    FROM json_to_recordset(${toStorableJson(messages)}::json)
      AS given (organization_id bigint, destination_id bigint, subject jsonb)`.execute(transaction);
  await wakeSender(transaction);
}

type OverRow = {
  organization_id: number;
  destination_id: number;
  issue_id: number | null;
  delivery_id: string | null;
};

function toMessages(rows: readonly OverRow[]) {
  const incidents = rows.map(
    ({ issue_id, delivery_id }): Incident =>
      issue_id === null ? { kind: 'message', id: delivery_id ?? '' } : { kind: 'issue', id: issue_id },
  );
  const { organization_id, destination_id } = rows[0]!;
  const starts = Array.from(
    { length: Math.ceil(incidents.length / INCIDENTS_PER_MESSAGE) },
    (_, index) => index * INCIDENTS_PER_MESSAGE,
  );
  return starts.map((start) => ({
    organization_id,
    destination_id,
    subject: { kind: 'incidents', incidents: incidents.slice(start, start + INCIDENTS_PER_MESSAGE) },
  }));
}

export async function findOpenIncidents(
  db: Kysely<Database>,
  organizationId: number,
  incidents: readonly Incident[],
): Promise<readonly boolean[]> {
  if (incidents.length === 0) return [];
  const idsOf = (kind: Incident['kind']) =>
    incidents.filter((each) => each.kind === kind).map(({ id }) => id);
  const { rows } = await sql<{ kind: Incident['kind']; id: string }>`
    SELECT 'issue' AS kind, id::text FROM issues
    WHERE organization_id = ${organizationId} AND id = ANY(${idsOf('issue')}::bigint[]) AND status = 'unresolved'
    UNION ALL
    SELECT 'metric', id::text FROM alert_rules
    WHERE organization_id = ${organizationId} AND id = ANY(${idsOf('metric')}::bigint[]) AND metric_state <> 'ok'
    UNION ALL
    SELECT DISTINCT 'message', delivery_id::text FROM delivery_firings
    JOIN alert_firings ON alert_firings.id = firing_id
    JOIN issues ON issues.id = alert_firings.issue_id
    WHERE issues.organization_id = ${organizationId} AND delivery_id = ANY(${idsOf('message')}::uuid[])
      AND issues.status = 'unresolved'`.execute(db);
  const open = new Set(rows.map(({ kind, id }) => `${kind} ${id}`));
  return incidents.map(({ kind, id }) => open.has(`${kind} ${id}`));
}
