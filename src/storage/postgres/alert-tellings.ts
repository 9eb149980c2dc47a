import { sql, type Transaction } from 'kysely';
import type { IssueFiring, Withheld } from '#storage/ports/alerts.ts';
import type { Receiver } from '#storage/ports/deliveries.ts';
import { ENDING_TYPES } from './incidents.ts';
import type { Database } from './schema.ts';

/** Which destinations have incidents, and when each issue was closed last: milliseconds since the epoch. */
export type Closings = { pagers: ReadonlySet<number>; closedAt: ReadonlyMap<number, number> };

/** Of what may fire; times only of issues of which a pager may be told. */
export async function findClosings(
  transaction: Transaction<Database>,
  firings: readonly IssueFiring[],
): Promise<Closings> {
  const destinationsOf = ({ receivers }: IssueFiring) =>
    receivers.flatMap((receiver) => (receiver.kind === 'destination' ? [receiver.destinationId] : []));
  const asked = [...new Set(firings.flatMap(destinationsOf))];
  if (asked.length === 0) return { pagers: new Set(), closedAt: new Map() };
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM destinations WHERE id = ANY(${asked}::bigint[]) AND kind = 'pagerduty'`.execute(
    transaction,
  );
  const pagers = new Set(rows.map(({ id }) => id));
  const issueIds = firings
    .filter((firing) => destinationsOf(firing).some((id) => pagers.has(id)))
    .map(({ issueId }) => issueId);
  if (issueIds.length === 0) return { pagers, closedAt: new Map() };
  const { rows: closed } = await sql<{ issue_id: number; at: Date }>`
    SELECT issue_id, max(at) AS at FROM activities
    WHERE issue_id = ANY(${[...new Set(issueIds)]}::bigint[]) AND type = ANY(${[...ENDING_TYPES]}::text[])
    GROUP BY issue_id`.execute(transaction);
  return { pagers, closedAt: new Map(closed.map((row) => [row.issue_id, row.at.getTime()])) };
}

/** Whether the incident that a receiver was told of then is closed. */
export const wasClosed = (
  { pagers, closedAt }: Closings,
  issueId: number,
  receiver: Receiver,
  toldAt: number,
): boolean =>
  receiver.kind === 'destination' &&
  pagers.has(receiver.destinationId) &&
  toldAt <= (closedAt.get(issueId) ?? Number.NEGATIVE_INFINITY);

/** A message waits for its turn, and for tries after the first, less than this. */
const WAITS_MS_MAX = 24 * 3_600_000;

/** When receivers were told of issues, by `issueId receiver`; one that waits to be sent counts as told now. */
export type Tellings = Map<string, number>;

export async function findTellings(
  transaction: Transaction<Database>,
  issueIds: readonly number[],
  closings: Closings,
  { nowMs, sinceMs }: { nowMs: number; sinceMs: number },
): Promise<Tellings> {
  const { rows } = await sql<{
    issue_id: number;
    destination_id: number | null;
    user_id: string | null;
    at: Date;
    fired_at: Date;
  }>`
    SELECT f.issue_id, d.destination_id, d.user_id, max(coalesce(d.done_at, f.fired_at)) AS at,
      max(f.fired_at) AS fired_at
    FROM alert_firings f
    JOIN delivery_firings df ON df.firing_id = f.id
    JOIN deliveries d ON d.id = df.delivery_id
    WHERE f.issue_id = ANY(${[...new Set(issueIds)]}::bigint[]) AND f.fired_at > ${new Date(nowMs - WAITS_MS_MAX)} AND d.kind = 'alert'
      AND (d.state IN ('open', 'sealed') OR d.state = 'sent' AND d.done_at > ${new Date(sinceMs)})
    GROUP BY f.issue_id, d.destination_id, d.user_id`.execute(transaction);
  return new Map(
    rows.flatMap((row) => {
      const receiver: Receiver =
        row.destination_id === null
          ? { kind: 'user', userId: row.user_id ?? '' }
          : { kind: 'destination', destinationId: row.destination_id };
      // Its end is told after it, however late that was.
      if (wasClosed(closings, row.issue_id, receiver, row.fired_at.getTime())) return [];
      return [[tellingKey(row.issue_id, receiver), row.at.getTime()]];
    }),
  );
}

const tellingKey = (issueId: number, receiver: Receiver): string =>
  receiver.kind === 'user' ? `${issueId} u${receiver.userId}` : `${issueId} d${receiver.destinationId}`;

/** Who is told of a firing, and who was told of the issue before; those who are told now were told for the next one. */
export function planFiring(
  firing: IssueFiring,
  tellings: Tellings,
  nowMs: number,
): { told: readonly Receiver[]; withheld: readonly Withheld[] } {
  const told: Receiver[] = [];
  const withheld: Withheld[] = [];
  for (const receiver of firing.receivers) {
    const key = tellingKey(firing.issueId, receiver);
    const toldAt = tellings.get(key);
    if (toldAt === undefined) {
      tellings.set(key, nowMs);
      told.push(receiver);
    } else {
      withheld.push({ receiver, reason: 'told_recently', toldAt });
    }
  }
  return { told, withheld };
}
