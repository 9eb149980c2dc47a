import type { Transaction } from 'kysely';
import {
  type Closings,
  type Notifications,
  notificationKey,
  type Receiver,
  wasClosed,
} from '#domain/alerts/who-is-notified.ts';
import { receiverOf } from '#product/deliveries/store/delivery-log.ts';
import { ENDING_TYPES } from '#product/incidents/store/incidents.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import type { IssueFiring } from '../alert-outbox.ts';

/** Of what may fire; times only of issues that a pager may be notified of. */
export async function findClosings(
  transaction: Transaction<Database>,
  firings: readonly IssueFiring[],
): Promise<Closings> {
  const destinationsOf = ({ receivers }: IssueFiring) =>
    receivers.flatMap((receiver) => (receiver.kind === 'destination' ? [receiver.destinationId] : []));
  const asked = [...new Set(firings.flatMap(destinationsOf))];
  if (asked.length === 0) return { pagers: new Set(), closedAt: new Map() };
  const found = await query<{ id: number }>`
    SELECT id FROM destinations WHERE id = ANY(${asked}::bigint[]) AND kind = 'pagerduty'`.execute(
    transaction,
  );
  const pagers = new Set(found.map(({ id }) => id));
  const issueIds = firings
    .filter((firing) => destinationsOf(firing).some((id) => pagers.has(id)))
    .map(({ issueId }) => issueId);
  if (issueIds.length === 0) return { pagers, closedAt: new Map() };
  const closed = await query<{ issueId: number; at: number }>`
    SELECT issue_id, max(at) AS at FROM activities
    WHERE issue_id = ANY(${[...new Set(issueIds)]}::bigint[]) AND type = ANY(${[...ENDING_TYPES]}::text[])
    GROUP BY issue_id`.execute(transaction);
  return { pagers, closedAt: new Map(closed.map(({ issueId, at }) => [issueId, at])) };
}

/** A message waits in the queue, and for retries, less than this. */
const WAITS_MS_MAX = 24 * 3_600_000;

export async function findNotifications(
  transaction: Transaction<Database>,
  issueIds: readonly number[],
  closings: Closings,
  { nowMs, sinceMs }: { nowMs: number; sinceMs: number },
): Promise<Notifications> {
  const rows = await query<{ issueId: number; receiver: Receiver; at: number; firedAt: number }>`
    SELECT f.issue_id, ${receiverOf('d')} AS receiver, max(coalesce(d.done_at, f.fired_at)) AS at,
      max(f.fired_at) AS fired_at
    FROM alert_firings f
    JOIN delivery_firings df ON df.firing_id = f.id
    JOIN deliveries d ON d.id = df.delivery_id
    WHERE f.issue_id = ANY(${[...new Set(issueIds)]}::bigint[]) AND f.fired_at > ${new Date(nowMs - WAITS_MS_MAX)} AND d.kind = 'alert'
      AND (d.state IN ('open', 'sealed') OR d.state = 'sent' AND d.done_at > ${new Date(sinceMs)})
    GROUP BY f.issue_id, d.destination_id, d.user_id`.execute(transaction);
  return new Map(
    rows.flatMap(({ issueId, receiver, at, firedAt }) => {
      // A closing message follows however late the alert was sent.
      if (wasClosed(closings, issueId, receiver, firedAt)) return [];
      return [[notificationKey(issueId, receiver), at]];
    }),
  );
}
