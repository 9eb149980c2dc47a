import { TupleParam } from '@clickhouse/client';
import { invalid } from '#lib/errors.ts';
import { DAY_MS } from '#lib/time.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import type {
  EventKey,
  EventScope,
  EventStore,
  IssueActivity,
  IssueEvents,
  TimeRange,
} from '#storage/ports/events.ts';
import type { GroupingKey } from '#storage/ports/search.ts';
import type { ClickhouseDatabase } from './client.ts';
import { placesOf } from './issue-places.ts';
import { hex, IN_RANGE, inScope, isEmpty, listParam, ofIssue, toNumber } from './query-params.ts';
import { RowBinaryWriter } from './row-binary.ts';

/** Keys looked up in one query. */
const KEYS_PER_QUERY_MAX = 10_000;
/** Issues whose activity is counted in one query. */
const ISSUES_PER_QUERY_MAX = 1_000;
/** Buckets of one activity chart. */
const BUCKETS_MAX = 5_000;
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

/** The key of the oldest or newest event of an issue; null when it has none. */
export async function findEdgeKey(
  database: ClickhouseDatabase,
  scope: EventScope,
  issue: IssueEvents,
  direction: 'ASC' | 'DESC',
): Promise<IndexedKey | null> {
  const own = ofIssue(scope, issue, 'event_index');
  const [row] = await database.query<IndexedKey>(
    `SELECT project_id AS projectId, ${hex('grouping_hash')} AS groupingHash, ${HEX_ID} AS eventId,
       toUnixTimestamp64Milli(occurred_at) AS occurredAt, toYYYYMMDD(received_on) AS partition
     FROM event_index WHERE ${own.sql}
     ORDER BY occurred_at ${direction}, event_id ${direction} LIMIT 1`,
    own.params,
  );
  return row ?? null;
}

/** Moment of the oldest of the newest `count` events of an issue in a range; the beginning of the range for fewer. */
export async function findNewestSince(
  database: ClickhouseDatabase,
  scope: EventScope,
  issue: IssueEvents,
  range: TimeRange,
  count: number,
): Promise<number> {
  const own = ofIssue(scope, issue, 'event_index');
  const [row] = await database.query<{ ms: number; events: number }>(
    `SELECT toUnixTimestamp64Milli(min(occurred_at)) AS ms, count() AS events FROM (
       SELECT occurred_at FROM event_index
       WHERE ${own.sql} AND ${IN_RANGE} ORDER BY occurred_at DESC LIMIT {count:UInt32}
     )`,
    { ...own.params, ...range, count },
  );
  return row && row.events >= count ? row.ms : range.fromMs;
}

export async function findNeighbours(
  database: ClickhouseDatabase,
  scope: EventScope,
  issue: IssueEvents,
  event: EventKey,
): ReturnType<EventStore['findNeighbours']> {
  const own = ofIssue(scope, issue, 'event_index');
  // Most events that are looked at are among the newest: those behind are counted, and not those before.
  const [row] = await database.query<NeighbourRow>(
    `SELECT
       uniqExact(event_id) AS total,
       uniqExactIf(event_id, (occurred_at, event_id) > this) AS newer,
       ${hex('argMaxIf(event_id, (occurred_at, event_id), (occurred_at, event_id) < this)')} AS previous_id,
       ${hex('argMinIf(event_id, (occurred_at, event_id), (occurred_at, event_id) > this)')} AS next_id,
       countIf((occurred_at, event_id) < this) > 0 AS has_previous
     FROM (
       SELECT event_id, occurred_at,
         (fromUnixTimestamp64Milli({occurredAt:Int64}, 'UTC'), {eventId:UInt128}) AS this
       FROM event_index WHERE ${own.sql}
     )`,
    { ...own.params, occurredAt: Math.trunc(event.occurredAt), eventId: toNumber(event.eventId) },
  );
  if (!row) return { previousId: null, nextId: null, position: 0, total: 0 };
  return {
    previousId: row.has_previous ? row.previous_id : null,
    nextId: row.newer > 0 ? row.next_id : null,
    position: row.total - row.newer,
    total: row.total,
  };
}

export async function countActivity(
  database: ClickhouseDatabase,
  scope: EventScope,
  issues: readonly IssueEvents[],
  range: TimeRange,
  bucketMs: number,
): Promise<readonly IssueActivity[]> {
  const bucketCount = Math.ceil((range.toMs - range.fromMs) / bucketMs);
  if (!(bucketMs >= 1 && bucketCount >= 1 && bucketCount <= BUCKETS_MAX)) {
    throw invalid(`The range must make between 1 and ${BUCKETS_MAX} buckets: choose larger ones`);
  }
  if (issues.length > ISSUES_PER_QUERY_MAX) {
    throw invalid(`Activity is counted for at most ${ISSUES_PER_QUERY_MAX} issues at once`);
  }
  const activity = issues.map(({ issueId }) => ({
    issueId,
    buckets: Array<number>(bucketCount).fill(0),
    events: 0,
    users: 0,
  }));
  const places = placesOf(scope, issues, 'event_index');
  if (!places) return activity;
  const params = { ...places.where.params, ...places.issueOf.params, ...range, bucketMs };
  // Rows are many, hashes with their buckets are few: only these are told apart by issue. Users are no sum of buckets.
  const rows = await database.query<{ issue: number; buckets: number[]; events: number[]; users: number }>(
    `SELECT ${places.issueOf.sql} AS issue, groupArray(bucket) AS buckets, groupArray(some) AS events,
       uniqExactMerge(people) AS users
     FROM (
       SELECT project_id, grouping_hash,
         intDiv(toUnixTimestamp64Milli(occurred_at) - {fromMs:Int64}, {bucketMs:Int64}) AS bucket,
         uniqExact(${SHORT_ID}) AS some, uniqExactStateIf(user_hash, user_hash != 0) AS people
       FROM event_index WHERE ${places.where.sql} AND ${IN_RANGE} GROUP BY project_id, grouping_hash, bucket
     )
     WHERE issue != 0 GROUP BY issue`,
    params,
  );
  for (const { issue, buckets, events, users } of rows) {
    const entry = activity[issue - 1];
    if (!entry) continue;
    entry.users = users;
    for (const [at, bucket] of buckets.entries()) {
      // A bucket comes once for every hash of the issue.
      const some = events[at] ?? 0;
      entry.buckets[bucket] = (entry.buckets[bucket] ?? 0) + some;
      entry.events += some;
    }
  }
  return activity;
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

/** Half of an id tells the events of one bucket apart, and is counted in half the time. */
const SHORT_ID = 'toUInt64(event_id)';

const HEX_ID = hex('event_index.event_id');

type NeighbourRow = {
  total: number;
  newer: number;
  previous_id: string;
  next_id: string;
  has_previous: number;
};
