import { sql, type Transaction } from 'kysely';
import type { AlertFiring, AlertRule, MetricReading } from '#domain/alerts/alert-rule.ts';
import { chooseNotified, dropQuietFirings, type Receiver } from '#domain/alerts/who-is-notified.ts';
import { type DeliveryJoin, joinDeliveries } from '#product/deliveries/store/join-deliveries.ts';
import { findLastFired } from '#storage/sql/last-fired.ts';
import { affectedRows, query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';
import type { IssueFiring, NotedFiring, OutboxEntry } from '../alert-outbox.ts';
import { findClosings, findNotifications } from './alert-notifications.ts';

/** Whoever finishes entries waits for others that do: each must see whom the one before notified. */
const FINISH_LOCK = 7_001_401;

export async function finishEntries(
  transaction: Transaction<Database>,
  entries: readonly Pick<OutboxEntry, 'id' | 'version'>[],
  firings: readonly IssueFiring[],
  nowMs: number,
  issueQuietMs: number,
): Promise<number> {
  if (entries.length === 0) return 0;
  await sql`SELECT pg_advisory_xact_lock(${FINISH_LOCK})`.execute(transaction);
  await keepAlive(transaction, firings);
  const claimed = await claim(transaction, entries, new Set(firings.map(({ entryId }) => entryId)), nowMs);
  const mine = firings.filter(({ entryId }) => claimed.has(entryId));
  const closings = await findClosings(transaction, mine);
  const loud = dropQuietFirings(mine, await findLastFired(transaction, mine), closings);
  if (loud.length === 0) return 0;
  const notifications = await findNotifications(
    transaction,
    loud.map(({ firing }) => firing.issueId),
    closings,
    { nowMs, sinceMs: nowMs - issueQuietMs },
  );
  const planned = loud.map(({ firing, withheld }) => {
    const chosen = chooseNotified(firing, notifications, nowMs);
    return { firing, notified: chosen.notified, withheld: [...withheld, ...chosen.withheld] };
  });
  const ids = await insertFirings(
    transaction,
    planned.map(({ firing, withheld }) => ({
      ...firing,
      value: null,
      measured: null,
      measuredBefore: null,
      outboxId: firing.entryId,
      withheld,
    })),
  );
  const joins = planned.flatMap(({ firing, notified }): DeliveryJoin[] => {
    const firingId = ids.get(`${firing.ruleId}:${firing.issueId}`);
    if (firingId === undefined) return [];
    return notified.map((receiver) => ({ firingId, organizationId: firing.organizationId, receiver }));
  });
  await joinDeliveries(transaction, joins, nowMs);
  return ids.size;
}

/** The state that a metric reached, and who hears of it. */
export type MetricFiring = Pick<AlertFiring, 'cause' | 'value' | 'measured' | 'measuredBefore'> & {
  receivers: readonly Receiver[];
};

export async function finishMetric(
  transaction: Transaction<Database>,
  rule: Pick<AlertRule, 'id' | 'organizationId' | 'projectId'>,
  seenAt: number | null,
  reading: MetricReading,
  firing: MetricFiring | null,
): Promise<boolean> {
  const noted = await affectedRows`
    UPDATE alert_rules SET metric_state = ${reading.state}, metric_state_at = ${new Date(reading.since)},
      metric_value = ${reading.value}, metric_checked_at = ${new Date(reading.checkedAt)},
      metric_problem = ${reading.problem}, metric_took_ms = ${reading.tookMs},
      metric_next_at = ${reading.nextAt === null ? null : new Date(reading.nextAt)}
    WHERE organization_id = ${rule.organizationId} AND id = ${rule.id}
      AND metric_checked_at IS NOT DISTINCT FROM ${seenAt === null ? null : new Date(seenAt)}::timestamptz
      AND is_enabled AND (snoozed_until IS NULL OR snoozed_until <= ${new Date(reading.checkedAt)})`.execute(
    transaction,
  );
  if (noted === 0) return false;
  if (!firing) return true;
  const ids = await insertFirings(transaction, [
    {
      organizationId: rule.organizationId,
      projectId: rule.projectId,
      ruleId: rule.id,
      issueId: null,
      eventId: null,
      cause: firing.cause,
      value: firing.value,
      measured: firing.measured,
      measuredBefore: firing.measuredBefore,
      firedAt: reading.checkedAt,
      outboxId: null,
      withheld: [],
    },
  ]);
  const joins = [...ids.values()].flatMap((firingId) =>
    firing.receivers.map((receiver) => ({ firingId, organizationId: rule.organizationId, receiver })),
  );
  await joinDeliveries(transaction, joins, reading.checkedAt);
  return true;
}

/**
 * Whoever deletes an organization, a project or an issue locks it before what hangs on it, and in this order: so does
 * this, that neither waits for the other.
 */
async function keepAlive(transaction: Transaction<Database>, firings: readonly IssueFiring[]): Promise<void> {
  const ids = {
    organizations: firings.map(({ organizationId }) => organizationId),
    projects: firings.map(({ projectId }) => projectId),
    issues: firings.map(({ issueId }) => issueId),
  };
  for (const [table, each] of Object.entries(ids)) {
    if (each.length === 0) continue;
    await sql`SELECT id FROM ${sql.table(table)} WHERE id = ANY(${[...new Set(each)]}::bigint[])
      ORDER BY id FOR KEY SHARE`.execute(transaction);
  }
}

/**
 * Ids of the entries that are done with this. One whose version has changed is left for the next look, unless it fires
 * already: under a constant flow of events it would never fire. What somebody else holds is left as well.
 */
async function claim(
  transaction: Transaction<Database>,
  entries: readonly Pick<OutboxEntry, 'id' | 'version'>[],
  firing: ReadonlySet<number>,
  nowMs: number,
): Promise<ReadonlySet<number>> {
  const claimed = await query<{ id: number }>`
    WITH mine AS (
      SELECT outbox.id FROM outbox
      JOIN unnest(${entries.map(({ id }) => id)}::bigint[], ${entries.map(({ version }) => version)}::integer[],
        ${entries.map(({ id }) => firing.has(id))}::boolean[]) AS seen (id, version, fires) ON seen.id = outbox.id
      WHERE outbox.done_at IS NULL AND (seen.fires OR seen.version = outbox.version)
      ORDER BY outbox.id FOR NO KEY UPDATE OF outbox SKIP LOCKED
    )
    UPDATE outbox SET done_at = ${new Date(nowMs)} FROM mine WHERE outbox.id = mine.id RETURNING outbox.id`.execute(
    transaction,
  );
  return new Set(claimed.map(({ id }) => id));
}

/** By `ruleId:issueId`. An issue, a project or a rule that is gone meanwhile has none. */
async function insertFirings(
  transaction: Transaction<Database>,
  firings: readonly (Omit<NotedFiring, 'id'> & { outboxId: number | null })[],
): Promise<ReadonlyMap<string, number>> {
  const rows = firings.map((firing) => ({
    organization_id: firing.organizationId,
    project_id: firing.projectId,
    rule_id: firing.ruleId,
    issue_id: firing.issueId,
    event_id: firing.eventId,
    cause: firing.cause,
    value: firing.value,
    measured: firing.measured,
    measured_before: firing.measuredBefore,
    fired_at: new Date(firing.firedAt),
    outbox_id: firing.outboxId,
    withheld: firing.withheld,
  }));
  const inserted = await query<Pick<AlertFiring, 'id' | 'ruleId' | 'issueId'>>`
    WITH given AS (
      SELECT * FROM json_to_recordset(${toStorableJson(rows)}::json) AS given (organization_id bigint,
        project_id bigint, rule_id bigint, issue_id bigint, event_id text, cause text, value double precision,
        measured double precision, measured_before double precision, fired_at timestamptz, outbox_id bigint, withheld jsonb)
    ), rules AS (
      SELECT id FROM alert_rules WHERE id IN (SELECT rule_id FROM given) ORDER BY id FOR KEY SHARE
    ), living AS (
      SELECT id FROM issues WHERE id IN (SELECT issue_id FROM given)
    )
    INSERT INTO alert_firings (organization_id, project_id, rule_id, issue_id, event_id, cause, value, measured,
      measured_before, fired_at, outbox_id, withheld)
    SELECT organization_id, project_id, rule_id, issue_id, event_id, cause, value, measured, measured_before,
      fired_at, outbox_id, withheld
    FROM given WHERE rule_id IN (SELECT id FROM rules) AND (issue_id IS NULL OR issue_id IN (SELECT id FROM living))
    RETURNING id, rule_id, issue_id`.execute(transaction);
  return new Map(inserted.map(({ id, ruleId, issueId }) => [`${ruleId}:${issueId}`, id]));
}
