import { type Kysely, sql } from 'kysely';
import { AT_ONCE_MAX, BUDGET_WINDOW_MS, GAPS_MS } from '#domain/alerts/delivery-budgets.ts';
import type { Receiver } from '#domain/alerts/who-is-notified.ts';
import { notifySender } from '#storage/sql/notices.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';

export type DeliveryJoin = { firingId: number; organizationId: number; receiver: Receiver };

/**
 * Each firing joins the open message of its receiver, or opens one that is due when the budget of the receiver allows.
 * Receivers that are gone are left out. Call it in the transaction that writes the firings: the lock on the open
 * message, until then, is what keeps it from being sealed without them.
 */
export async function joinDeliveries(
  transaction: Kysely<Database>,
  joins: readonly DeliveryJoin[],
  nowMs: number,
): Promise<void> {
  if (joins.length === 0) return;
  const rows = joins.map(({ firingId, organizationId, receiver }) => ({
    firing_id: firingId,
    organization_id: organizationId,
    destination_id: receiver.kind === 'destination' ? receiver.destinationId : null,
    user_id: receiver.kind === 'user' ? receiver.userId : null,
  }));
  const given = sql`json_to_recordset(${toStorableJson(rows)}::json)
    AS given (firing_id bigint, organization_id bigint, destination_id bigint, user_id text)`;
  const budget = dueAt(new Date(nowMs));
  await sql`
    WITH given AS (SELECT * FROM ${given} WHERE destination_id IS NOT NULL),
    opened AS (
      INSERT INTO deliveries (id, organization_id, kind, destination_id, due_at, created_at)
      SELECT gen_random_uuid(), receiver.organization_id, 'alert', receiver.id, ${budget}, ${new Date(nowMs)}
      FROM destinations AS receiver, LATERAL (
        SELECT count(*) AS messages, max(coalesce(done_at, least(due_at, ${new Date(nowMs)}))) AS last_at FROM deliveries
        WHERE destination_id = receiver.id AND kind = 'alert' AND created_at > ${new Date(nowMs - BUDGET_WINDOW_MS)}
      ) AS recent
      WHERE (receiver.id, receiver.organization_id) IN (SELECT destination_id, organization_id FROM given)
      ORDER BY receiver.id FOR KEY SHARE OF receiver
      ON CONFLICT (destination_id) WHERE state = 'open' AND kind = 'alert' DO UPDATE SET due_at = deliveries.due_at
      RETURNING id, destination_id
    )
    INSERT INTO delivery_firings (delivery_id, firing_id)
    SELECT DISTINCT opened.id, given.firing_id FROM given JOIN opened USING (destination_id)
    ON CONFLICT DO NOTHING`.execute(transaction);
  await sql`
    WITH given AS (SELECT * FROM ${given} WHERE user_id IS NOT NULL),
    opened AS (
      INSERT INTO deliveries (id, organization_id, kind, user_id, due_at, created_at)
      SELECT gen_random_uuid(), receiver.organization_id, 'alert', receiver.user_id, ${budget}, ${new Date(nowMs)}
      FROM memberships AS receiver, LATERAL (
        SELECT count(*) AS messages, max(coalesce(done_at, least(due_at, ${new Date(nowMs)}))) AS last_at FROM deliveries
        WHERE user_id = receiver.user_id AND organization_id = receiver.organization_id AND kind = 'alert'
          AND created_at > ${new Date(nowMs - BUDGET_WINDOW_MS)}
      ) AS recent
      WHERE (receiver.user_id, receiver.organization_id) IN (SELECT user_id, organization_id FROM given)
      ORDER BY receiver.organization_id, receiver.user_id FOR KEY SHARE OF receiver
      ON CONFLICT (organization_id, user_id) WHERE state = 'open' AND kind = 'alert'
        DO UPDATE SET due_at = deliveries.due_at
      RETURNING id, organization_id, user_id
    )
    INSERT INTO delivery_firings (delivery_id, firing_id)
    SELECT DISTINCT opened.id, given.firing_id FROM given JOIN opened USING (organization_id, user_id)
    ON CONFLICT DO NOTHING`.execute(transaction);
  await notifySender(transaction);
}

/** Of a message that opens now, after `recent.messages` others of the window, the last of them at `recent.last_at`. */
const dueAt = (now: Date) => sql`
  CASE WHEN recent.messages < ${AT_ONCE_MAX} THEN ${now}::timestamptz
  ELSE greatest(${now}::timestamptz, recent.last_at
    + (${GAPS_MS}::float8[])[least(recent.messages - ${AT_ONCE_MAX} + 1, ${GAPS_MS.length})] * interval '1 ms') END`;
