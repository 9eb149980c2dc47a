import { type Kysely, sql, type Transaction } from 'kysely';
import type { ActivityType } from '#domain/issues/issue.ts';
import { notifySender } from '#storage/sql/notices.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';

/** What a pager has as one incident: an issue, several that one message (a delivery) told of, or the metric of a rule. */
export type Incident =
  | { kind: 'issue'; id: number }
  | { kind: 'message'; id: string }
  | { kind: 'metric'; id: number };

/** Each is a request of its own, and all of a message have ten seconds. */
const INCIDENTS_PER_MESSAGE = 10;

/** What ends an issue, for now or for good. */
export const ENDING_TYPES: ReadonlySet<ActivityType> = new Set([
  'set_resolved',
  'set_resolved_in_release',
  'set_resolved_in_commit',
  'set_archived',
]);

/** Closes pager incidents of resolved or archived issues, in the transaction that takes the outbox entries. */
export async function closeEndedIncidents(
  transaction: Transaction<Database>,
  activityIds: readonly number[],
  nowMs: number,
): Promise<void> {
  if (activityIds.length === 0) return;
  const { rows } = await sql<{ id: number }>`
    SELECT DISTINCT issues.id FROM activities JOIN issues ON issues.id = activities.issue_id
    WHERE activities.id = ANY(${activityIds}::bigint[]) AND issues.status <> 'unresolved'
  `.execute(transaction);
  await closeIncidentsOf(
    transaction,
    rows.map(({ id }) => id),
    nowMs,
  );
}

/** Closes pager incidents of the issues, in the transaction that deletes them, before it does. */
export async function closeIncidentsOf(
  transaction: Transaction<Database>,
  issueIds: readonly number[],
  nowMs: number,
): Promise<void> {
  if (issueIds.length === 0) return;
  const { rows } = await sql<OverRow>`
    WITH told AS (
      SELECT DISTINCT deliveries.id FROM alert_firings
      JOIN delivery_firings ON firing_id = alert_firings.id
      JOIN deliveries ON deliveries.id = delivery_id
      JOIN destinations ON destinations.id = deliveries.destination_id
      WHERE alert_firings.issue_id = ANY(${issueIds}::bigint[]) AND destinations.kind = 'pagerduty'
        AND deliveries.kind = 'alert' AND deliveries.state IN ('sealed', 'sent')
    ), over AS (
      SELECT told.id FROM told JOIN delivery_firings ON delivery_id = told.id
      JOIN alert_firings ON alert_firings.id = firing_id
      JOIN issues ON issues.id = alert_firings.issue_id
      GROUP BY told.id
      HAVING bool_and(issues.status <> 'unresolved' OR issues.id = ANY(${issueIds}::bigint[]))
    )
    SELECT DISTINCT organization_id, destination_id, incident
    FROM deliveries JOIN over USING (id), jsonb_array_elements(subject -> 'incidents') AS incident
    WHERE incident ->> 'kind' <> 'metric'`.execute(transaction);
  await writeClosings(transaction, rows, nowMs);
}

/** Nobody looks at the metric of a rule any more: pagers that were told of it are to close it, unless it is ok. */
export async function closeMetricIncident(
  transaction: Transaction<Database>,
  ruleId: number,
  nowMs: number,
): Promise<void> {
  const { rows } = await sql<Omit<OverRow, 'incident'>>`
    SELECT DISTINCT deliveries.organization_id, deliveries.destination_id FROM alert_rules
    JOIN alert_firings ON alert_firings.rule_id = alert_rules.id
    JOIN delivery_firings ON firing_id = alert_firings.id
    JOIN deliveries ON deliveries.id = delivery_id
    JOIN destinations ON destinations.id = deliveries.destination_id
    WHERE alert_rules.id = ${ruleId} AND alert_rules.kind = 'metric' AND alert_rules.metric_state <> 'ok'
      AND destinations.kind = 'pagerduty' AND deliveries.kind = 'alert' AND deliveries.state IN ('sealed', 'sent')
  `.execute(transaction);
  await writeClosings(
    transaction,
    rows.map((row) => ({ ...row, incident: { kind: 'metric', id: ruleId } })),
    nowMs,
  );
}

type OverRow = { organization_id: number; destination_id: number; incident: Incident };

async function writeClosings(
  transaction: Transaction<Database>,
  rows: readonly OverRow[],
  nowMs: number,
): Promise<void> {
  const messages = [...Map.groupBy(rows, (row) => row.destination_id).values()].flatMap(toMessages);
  if (messages.length === 0) return;
  const now = new Date(nowMs);
  await sql`
    INSERT INTO deliveries (id, organization_id, kind, destination_id, subject, due_at, created_at)
    SELECT gen_random_uuid(), organization_id, 'closing', destination_id, subject, ${now}::timestamptz, ${now}::timestamptz
    FROM json_to_recordset(${toStorableJson(messages)}::json)
      AS given (organization_id bigint, destination_id bigint, subject jsonb)`.execute(transaction);
  await notifySender(transaction);
}

function toMessages(rows: readonly OverRow[]) {
  const { organization_id, destination_id } = rows[0]!;
  const starts = Array.from(
    { length: Math.ceil(rows.length / INCIDENTS_PER_MESSAGE) },
    (_, index) => index * INCIDENTS_PER_MESSAGE,
  );
  return starts.map((start) => ({
    organization_id,
    destination_id,
    subject: {
      kind: 'incidents',
      incidents: rows.slice(start, start + INCIDENTS_PER_MESSAGE).map(({ incident }) => incident),
    },
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
    SELECT 'issue' AS kind, asked.id::text AS id FROM unnest(${idsOf('issue')}::bigint[]) AS asked (id)
    LEFT JOIN issue_redirects merged ON merged.old_issue_id = asked.id
    JOIN issues ON issues.id = coalesce(merged.issue_id, asked.id)
    WHERE issues.organization_id = ${organizationId} AND issues.status = 'unresolved'
    UNION ALL
    SELECT 'metric', id::text FROM alert_rules
    WHERE organization_id = ${organizationId} AND id = ANY(${idsOf('metric')}::bigint[]) AND is_enabled
      AND metric_state <> 'ok'
    UNION ALL
    SELECT DISTINCT 'message', delivery_id::text FROM delivery_firings
    JOIN alert_firings ON alert_firings.id = firing_id
    JOIN issues ON issues.id = alert_firings.issue_id
    WHERE issues.organization_id = ${organizationId} AND delivery_id = ANY(${idsOf('message')}::uuid[])
      AND issues.status = 'unresolved'`.execute(db);
  const open = new Set(rows.map(({ kind, id }) => `${kind} ${id}`));
  return incidents.map(({ kind, id }) => open.has(`${kind} ${id}`));
}
