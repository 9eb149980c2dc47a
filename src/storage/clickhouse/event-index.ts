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
import { isVisible, listParam, type SqlPart } from './query-params.ts';
import { RowBinaryWriter } from './row-binary.ts';

const KEYS_PER_QUERY_MAX = 10_000;
const ISSUES_PER_QUERY_MAX = 1_000;
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
  const own = ofIssue(scope, issue);
  const [row] = await database.query<{ hash: string; id: string; ms: number; day: number }>(
    `SELECT ${hex('grouping_hash')} AS hash, ${HEX_ID} AS id, toUnixTimestamp64Milli(occurred_at) AS ms,
       toYYYYMMDD(received_on) AS day
     FROM event_index WHERE ${own.sql}
     ORDER BY occurred_at ${direction}, event_id ${direction} LIMIT 1`,
    own.params,
  );
  return row
    ? {
        projectId: issue.projectId,
        groupingHash: row.hash,
        occurredAt: row.ms,
        eventId: row.id,
        partition: row.day,
      }
    : null;
}

/** Moment of the oldest of the newest `count` events of an issue in a range; the beginning of the range for fewer. */
export async function findNewestSince(
  database: ClickhouseDatabase,
  scope: EventScope,
  issue: IssueEvents,
  range: TimeRange,
  count: number,
): Promise<number> {
  const own = ofIssue(scope, issue);
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
  const own = ofIssue(scope, issue);
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
  const places = issues.flatMap((issue, index) =>
    isVisible(scope, issue)
      ? issue.hashes.map((hash) => ({ index, number: toNumber(hash), projectId: issue.projectId }))
      : [],
  );
  if (places.length === 0) return activity;
  const projects = listParam('projects', 'UInt64', [...new Set(places.map(({ projectId }) => projectId))]);
  const hashes = listParam('hashes', 'UInt128', [...new Set(places.map(({ number }) => number))]);
  const names = listParam(
    'names',
    'String',
    places.map(({ projectId, number }) => `${projectId}:${number}`),
  );
  const indexes = listParam(
    'indexes',
    'UInt32',
    places.map(({ index }) => index + 1),
  );
  const issueOf = `transform(concat(toString(project_id), ':', toString(grouping_hash)), ${names.sql}, ${indexes.sql},
    toUInt32(0))`;
  const own = `organization_id = {organizationId:UInt64} AND project_id IN ${projects.sql}
    AND grouping_hash IN ${hashes.sql} AND ${IN_RANGE}`;
  const params = {
    organizationId: scope.organizationId,
    ...projects.params,
    ...hashes.params,
    ...names.params,
    ...indexes.params,
    ...range,
    bucketMs,
  };
  // Rows are many, hashes with their buckets are few: only these are told apart by issue. Users are no sum of buckets.
  const rows = await database.query<{ issue: number; buckets: number[]; events: number[]; users: number }>(
    `SELECT ${issueOf} AS issue, groupArray(bucket) AS buckets, groupArray(some) AS events,
       uniqExactMerge(people) AS users
     FROM (
       SELECT project_id, grouping_hash,
         intDiv(toUnixTimestamp64Milli(occurred_at) - {fromMs:Int64}, {bucketMs:Int64}) AS bucket,
         uniqExact(${SHORT_ID}) AS some, uniqExactStateIf(user_hash, user_hash != 0) AS people
       FROM event_index WHERE ${own} GROUP BY project_id, grouping_hash, bucket
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
  if (scope.projectIds.length === 0) return [];
  const projects = listParam('projects', 'UInt64', scope.projectIds);
  const rows = await database.query<{ project_id: number; hash: string }>(
    `SELECT project_id, ${hex('grouping_hash')} AS hash FROM event_index
     WHERE organization_id = {organizationId:UInt64} AND project_id IN ${projects.sql} AND ${IN_RANGE}
     GROUP BY project_id, grouping_hash ORDER BY count() DESC, grouping_hash LIMIT {limit:UInt32}`,
    { organizationId: scope.organizationId, ...projects.params, ...range, limit },
  );
  return rows.map((row) => ({ projectId: row.project_id, hash: row.hash }));
}

const IN_RANGE = `occurred_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
  AND occurred_at < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')`;

/** Half of an id tells the events of one bucket apart, and is counted in half the time. */
const SHORT_ID = 'toUInt64(event_id)';

/** The 32 digits that a number stands for, as an expression. */
export const hex = (number: string): string => `leftPad(lower(hex(${number})), 32, '0')`;
const HEX_ID = hex('event_index.event_id');

/** The number that 32 hexadecimal digits stand for; 0, which is none of an event, for what is no such number. */
export const toNumber = (digits: string): bigint => (HEX.test(digits) ? BigInt(`0x${digits}`) : 0n);
const HEX = /^[0-9a-f]{32}$/;

function ofIssue(scope: EventScope, issue: IssueEvents): SqlPart {
  const hashes = listParam('hashes', 'UInt128', issue.hashes.map(toNumber));
  return {
    sql: `organization_id = {organizationId:UInt64} AND project_id = {projectId:UInt64}
      AND grouping_hash IN ${hashes.sql}`,
    params: { organizationId: scope.organizationId, projectId: issue.projectId, ...hashes.params },
  };
}

type NeighbourRow = {
  total: number;
  newer: number;
  previous_id: string;
  next_id: string;
  has_previous: number;
};
