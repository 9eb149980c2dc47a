import { TupleParam } from '@clickhouse/client';
import { DAY_MS } from '#lib/time.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import type {
  EventFilter,
  EventKey,
  EventNeighbors,
  EventScope,
  IssueEvents,
  TimeRange,
} from '#storage/ports/events.ts';
import type { EventExpression, GroupingKey } from '#storage/ports/search.ts';
import type { ClickhouseDatabase } from './client.ts';
import {
  both,
  hex,
  IN_RANGE,
  inScope,
  isEmpty,
  listParam,
  ofIssue,
  type SqlPart,
  toNumber,
  unhex,
} from './query-params.ts';
import { RowBinaryWriter } from './row-binary.ts';
import { indexedRows, isIndexed } from './search/indexed-fields.ts';
import { filterEvents } from './search/match-events.ts';
import { limitsOf, searching } from './search/search-limits.ts';

/** Keys looked up in one query. */
const KEYS_PER_QUERY_MAX = 10_000;
const ROW_BYTES = 128;
const COLUMNS = [
  'organization_id',
  'project_id',
  'grouping_hash',
  'occurred_at',
  'event_id',
  'user_kind',
  'user_name',
  'received_on',
  'environment',
  'release',
  'has_names',
];

/**
 * Written after the events themselves: what the index has is stored. An event whose batch was cut off in between is
 * inserted again, and read once.
 */
export async function insertIndex(
  database: ClickhouseDatabase,
  events: readonly DigestedEvent[],
  token: string,
): Promise<void> {
  const rows = new RowBinaryWriter(events.length * ROW_BYTES);
  for (const event of events) {
    const [kind, name] = whoOf(event);
    rows.int64(event.organizationId);
    rows.int64(event.projectId);
    rows.hex128(event.groupingHash);
    rows.int64(Math.trunc(event.occurredAt));
    rows.hex128(event.eventId);
    rows.string(kind);
    rows.string(name);
    rows.uint16(Math.floor(event.receivedAt / DAY_MS));
    rows.string(event.environment ?? '');
    rows.string(event.release ?? '');
    rows.boolean(true);
  }
  await database.insertBinary('event_index', COLUMNS, rows.bytes(), `${token}:index`);
}

/** Who it happened to, by the first thing that is known. As `user_hash` in the table of events. */
function whoOf({ user }: DigestedEvent): [kind: string, name: string] {
  if (user.id) return ['id', user.id];
  if (user.email) return ['email', user.email];
  if (user.username) return ['username', user.username];
  return user.ip ? ['ip', user.ip] : ['', ''];
}

export async function findIndexed(
  database: ClickhouseDatabase,
  keys: readonly EventKey[],
): Promise<ReadonlySet<string>> {
  const stored = new Set<string>();
  for (let start = 0; start < keys.length; start += KEYS_PER_QUERY_MAX) {
    const list = listParam(
      'keys',
      'Tuple(UInt64, UInt128, Int64, UInt128)',
      keys
        .slice(start, start + KEYS_PER_QUERY_MAX)
        .map(
          (key) =>
            new TupleParam([
              key.projectId,
              toNumber(key.groupingHash),
              Math.trunc(key.occurredAt),
              toNumber(key.eventId),
            ]),
        ),
    );
    const rows = await database.query<{ project_id: number; event_id: string }>(
      `SELECT DISTINCT project_id, ${HEX_ID} AS event_id FROM event_index
       WHERE (project_id, grouping_hash, toUnixTimestamp64Milli(occurred_at), event_index.event_id) IN ${list.sql}
       LIMIT ${KEYS_PER_QUERY_MAX}`,
      list.params,
    );
    for (const row of rows) stored.add(`${row.project_id}:${row.event_id}`);
  }
  return stored;
}

/** `partition` is the one of the table of events that holds the event, for example 20260921. */
export type IndexedKey = EventKey & { partition: number };

/** The event, the one beside it, and copies of the event that are not merged yet. */
const EDGE_ROWS = 4;

/**
 * The key of the oldest or newest event of an issue that the filter leaves; null when it has none. `otherId` is of the event
 * beside it: null when there is none, undefined where copies of the event hide it.
 */
export async function findEdgeKey(
  database: ClickhouseDatabase,
  scope: EventScope,
  issue: IssueEvents,
  direction: 'ASC' | 'DESC',
  filter?: EventFilter,
): Promise<{ key: IndexedKey; otherId: string | null | undefined } | null> {
  const own = indexedEvents(scope, issue, filter);
  const rows = await searching(
    database.query<IndexedKey>(
      `SELECT project_id AS projectId, ${hex('grouping_hash')} AS groupingHash, ${hex('event_id')} AS eventId,
         toUnixTimestamp64Milli(occurred_at) AS occurredAt, toYYYYMMDD(received_on) AS partition
       FROM ${own.sql}
       ORDER BY occurred_at ${direction}, event_id ${direction} LIMIT {rows:UInt8} ${limitsOf(filter)}`,
      { ...own.params, rows: EDGE_ROWS },
    ),
  );
  const [key] = rows;
  if (!key) return null;
  const other = rows.find(({ eventId }) => eventId !== key.eventId);
  return { key, otherId: other?.eventId ?? (rows.length < EDGE_ROWS ? null : undefined) };
}

/** The newest `count` events of an issue that the filter leaves, as a condition on the table of events; null when there are none. */
export async function ofNewest(
  database: ClickhouseDatabase,
  scope: EventScope,
  issue: IssueEvents,
  { range, expression }: { range: TimeRange; expression?: EventExpression },
  count: number,
): Promise<SqlPart | null> {
  const own = indexedEvents(scope, issue, { range, expression });
  const [row] = await searching(
    database.query<{ ms: number; events: number; day: number }>(
      `SELECT toUnixTimestamp64Milli(min(occurred_at)) AS ms, count() AS events, toUInt16(min(received_on)) AS day FROM (
         SELECT occurred_at, received_on FROM ${own.sql} ORDER BY occurred_at DESC LIMIT {count:UInt32}
       ) ${limitsOf({ expression })}`,
      { ...own.params, count },
    ),
  );
  if (!row || row.events === 0) return null;
  const fromMs = row.events >= count ? row.ms : range.fromMs;
  // Rows lie by the day of their arrival, so this leaves most files unread, which a time of occurrence does not.
  return both(filterEvents(ofIssue(scope, issue), { range: { fromMs, toMs: range.toMs }, expression }), {
    sql: 'toDate(received_at) >= toDate({sinceDay:UInt16})',
    params: { sinceDay: row.day },
  });
}

export async function findNeighbors(
  database: ClickhouseDatabase,
  scope: EventScope,
  issue: IssueEvents,
  event: EventKey,
  filter?: EventFilter,
): Promise<EventNeighbors> {
  const own = indexedEvents(scope, issue, filter);
  // Most events that are looked at are among the newest: those behind are counted, and not those before.
  const [row] = await searching(
    database.query<NeighborRow>(
      `SELECT
         uniqExact(event_id) AS total,
         uniqExactIf(event_id, (occurred_at, event_id) > this) AS newer,
         countIf((occurred_at, event_id) = this) > 0 AS is_there,
         ${hex('argMaxIf(event_id, (occurred_at, event_id), (occurred_at, event_id) < this)')} AS previous_id,
         ${hex('argMinIf(event_id, (occurred_at, event_id), (occurred_at, event_id) > this)')} AS next_id,
         countIf((occurred_at, event_id) < this) > 0 AS has_previous
       FROM (
         SELECT event_id, occurred_at,
           (fromUnixTimestamp64Milli({occurredAt:Int64}, 'UTC'), {eventId:UInt128}) AS this
         FROM ${own.sql}
       ) ${limitsOf(filter)}`,
      { ...own.params, occurredAt: Math.trunc(event.occurredAt), eventId: toNumber(event.eventId) },
    ),
  );
  if (!row) return NO_NEIGHBORS;
  return {
    previousId: row.has_previous ? row.previous_id : null,
    nextId: row.newer > 0 ? row.next_id : null,
    position: row.is_there ? row.total - row.newer : 0,
    total: row.total,
  };
}

export const NO_NEIGHBORS: EventNeighbors = { previousId: null, nextId: null, position: 0, total: 0 };

/** The ids of the events of an issue that the filter leaves, as text: a statement. */
export function eventIds(scope: EventScope, issue: IssueEvents, filter?: EventFilter): SqlPart {
  if (isIndexed(filter?.expression)) {
    const own = indexedEvents(scope, issue, filter);
    return { sql: `SELECT ${hex('event_id')} FROM ${own.sql}`, params: own.params };
  }
  const own = filterEvents(ofIssue(scope, issue), filter);
  return { sql: `SELECT toString(event_id) FROM events WHERE ${own.sql}`, params: own.params };
}

/**
 * What stands after FROM for rows of the index: those of an issue that the filter leaves. What the index does not know
 * is read from the table of events.
 */
function indexedEvents(scope: EventScope, issue: IssueEvents, filter?: EventFilter): SqlPart {
  if (isIndexed(filter?.expression)) {
    const own = filterEvents(ofIssue(scope, issue, 'event_index'), filter);
    return { sql: `event_index WHERE ${own.sql} AND ${indexedRows(filter?.expression)}`, params: own.params };
  }
  const own = filterEvents(ofIssue(scope, issue), filter);
  return { sql: `(SELECT ${AS_INDEXED} FROM events WHERE ${own.sql})`, params: own.params };
}

export async function listFrequentHashes(
  database: ClickhouseDatabase,
  scope: EventScope,
  range: TimeRange,
  limit: number,
): Promise<readonly GroupingKey[]> {
  if (isEmpty(scope)) return [];
  const visible = inScope(scope);
  return await database.query<GroupingKey>(
    `SELECT project_id AS projectId, ${hex('grouping_hash')} AS hash FROM event_index
     WHERE ${visible.sql} AND ${IN_RANGE}
     GROUP BY project_id, grouping_hash ORDER BY count() DESC, grouping_hash LIMIT {limit:UInt32}`,
    { ...visible.params, ...range, limit },
  );
}

const HEX_ID = hex('event_index.event_id');

/** Rows of the table of events, as the index has them. */
const AS_INDEXED = `project_id, ${unhex('events.grouping_hash')} AS grouping_hash, occurred_at,
  ${unhex('events.event_id')} AS event_id, user_hash, toDate(received_at) AS received_on`;

type NeighborRow = {
  total: number;
  newer: number;
  is_there: number;
  previous_id: string;
  next_id: string;
  has_previous: number;
};
