import type { Context } from '#product/context.ts';
import type { Range } from '#product/time-buckets.ts';
import type { EventScope } from '#storage/ports/events.ts';
import type { Aggregate, AskedRows, ExploredField } from '#storage/ports/explore-rows.ts';
import type { EventExpression } from '#storage/ports/search.ts';

type AskedEvents = { range: Range; expression: EventExpression };

/** Events with one value of a field. */
export type EventGroup = {
  /** Empty for events without the field. */
  value: string;
  events: number;
  users: number;
  /** Milliseconds since the epoch, within the asked range. */
  firstSeen: number;
  lastSeen: number;
};

export type EventTrend = {
  /** Events per bucket, oldest bucket first, zero where there were none. */
  buckets: readonly number[];
  events: number;
  /** Distinct users. */
  users: number;
};

const COUNT: Aggregate = { kind: 'count' };
const USERS: Aggregate = { kind: 'count_unique', field: { kind: 'user' } };
const SEEN: readonly Aggregate[] = [{ kind: 'first_seen' }, { kind: 'last_seen' }];
const MOST_FIRST = { by: { aggregate: 0 }, isDescending: true };

const errors = (asked: AskedEvents): AskedRows => ({ dataset: 'errors', ...asked });

/** The values of a field, those of most events first, at most `limit`. */
export async function groupEvents(
  ctx: Context,
  scope: EventScope,
  asked: AskedEvents,
  field: ExploredField,
  limit: number,
): Promise<readonly EventGroup[]> {
  const { groups } = await ctx.stores.rowExplore.aggregate(scope, errors(asked), {
    groupBy: [field],
    aggregates: [COUNT, USERS, ...SEEN],
    order: MOST_FIRST,
    limit,
    offset: 0,
  });
  return groups.map(({ keys: [value = ''], values: [events, users, firstSeen, lastSeen] }) => ({
    value,
    events: events ?? 0,
    users: users ?? 0,
    firstSeen: firstSeen ?? 0,
    lastSeen: lastSeen ?? 0,
  }));
}

/** Events over time, in whole buckets, and whom they happened to. */
export async function countEvents(
  ctx: Context,
  scope: EventScope,
  asked: AskedEvents,
  bucketMs: number,
): Promise<EventTrend> {
  const { rowExplore } = ctx.stores;
  const [totals, [series]] = await Promise.all([
    rowExplore.aggregate(scope, errors(asked), {
      groupBy: [],
      aggregates: [COUNT, USERS],
      order: MOST_FIRST,
      limit: 1,
      offset: 0,
    }),
    rowExplore.series(scope, errors(asked), {
      groupBy: [],
      groups: [[]],
      aggregates: [COUNT],
      fromMs: asked.range.fromMs,
      bucketMs,
    }),
  ]);
  const [events, users] = totals.groups[0]?.values ?? [];
  return {
    buckets: (series?.values[0] ?? []).map((each) => each ?? 0),
    events: events ?? 0,
    users: users ?? 0,
  };
}
