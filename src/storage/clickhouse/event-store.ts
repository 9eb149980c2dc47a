import { TupleParam } from '@clickhouse/client';
import { invalid } from '#lib/errors.ts';
import type {
  EventKey,
  EventPage,
  EventScope,
  EventStore,
  EventSummary,
  IssueEvents,
  TagDistribution,
  TimeRange,
} from '#storage/ports/events.ts';
import type { ClickhouseDatabase } from './client.ts';
import { type StoredRow, SUMMARY_COLUMNS, type SummaryRow, toRow, toStored, toSummary } from './event-row.ts';
import { listParam, type SqlPart } from './list-param.ts';

const DAY_MS = 86_400_000;
const PAGE_EVENTS_MAX = 1_000;
const KEYS_PER_QUERY_MAX = 10_000;
const ISSUES_PER_QUERY_MAX = 1_000;
const BUCKETS_MAX = 5_000;
const TAG_KEYS_MAX = 200;
const TAG_VALUES_MAX = 200;
/** No event is younger: the end of what the column can hold. */
const LAST_MOMENT_MS = Date.UTC(2299, 11, 31);
/** How far back a page of all events looks first; a page that is not full looks further. */
const LOOK_BACK_MS = [DAY_MS, 7 * DAY_MS] as const;

/** Events may lie twice in the table until parts are merged: every query here reads each of them once. */
export function createEventStore(database: ClickhouseDatabase): EventStore {
  return {
    async insertEvents(events, token) {
      if (events.length === 0) return;
      await database.insert('events', events.map(toRow), token);
    },

    async findStored(keys) {
      const stored = new Set<string>();
      for (let start = 0; start < keys.length; start += KEYS_PER_QUERY_MAX) {
        const list = listParam(
          'keys',
          'Tuple(UInt64, FixedString(32), Int64, FixedString(32))',
          keys.slice(start, start + KEYS_PER_QUERY_MAX).map(toTuple),
        );
        const rows = await database.query<{ project_id: number; event_id: string }>(
          `SELECT DISTINCT project_id, event_id FROM events
           WHERE (project_id, grouping_hash, toUnixTimestamp64Milli(occurred_at), event_id) IN ${list.sql}
           LIMIT ${KEYS_PER_QUERY_MAX}`,
          list.params,
        );
        for (const row of rows) stored.add(`${row.project_id}:${row.event_id}`);
      }
      return stored;
    },

    async findEvent(scope, eventId) {
      if (isEmpty(scope) || !EVENT_ID.test(eventId)) return null;
      const visible = inScope(scope);
      const [row] = await database.query<StoredRow>(
        `SELECT ${SUMMARY_COLUMNS}, payload FROM events
         WHERE ${visible.sql} AND event_id = {eventId:FixedString(32)}
         ORDER BY received_at LIMIT 1`,
        { ...visible.params, eventId },
      );
      return row ? toStored(row) : null;
    },

    async findEdgeEvent(scope, issue, edge) {
      if (!isVisible(scope, issue)) return null;
      const own = ofIssue(scope, issue);
      const direction = edge === 'latest' ? 'DESC' : 'ASC';
      const [row] = await database.query<StoredRow>(
        `SELECT ${SUMMARY_COLUMNS}, payload FROM events
         WHERE ${own.sql}
         ORDER BY occurred_at ${direction}, event_id ${direction} LIMIT 1`,
        own.params,
      );
      return row ? toStored(row) : null;
    },

    async findNeighbours(scope, issue, event) {
      if (!isVisible(scope, issue)) return { previousId: null, nextId: null, position: 0, total: 0 };
      const own = ofIssue(scope, issue);
      const [row] = await database.query<NeighbourRow>(
        `SELECT
           uniqExact(event_id) AS total,
           uniqExactIf(event_id, (occurred_at, event_id) <= this) AS position,
           argMaxIf(event_id, (occurred_at, event_id), (occurred_at, event_id) < this) AS previous_id,
           argMinIf(event_id, (occurred_at, event_id), (occurred_at, event_id) > this) AS next_id,
           countIf((occurred_at, event_id) < this) > 0 AS has_previous,
           countIf((occurred_at, event_id) > this) > 0 AS has_next
         FROM (
           SELECT event_id, occurred_at,
             (fromUnixTimestamp64Milli({occurredAt:Int64}, 'UTC'), {eventId:FixedString(32)}) AS this
           FROM events WHERE ${own.sql}
         )`,
        { ...own.params, occurredAt: Math.trunc(event.occurredAt), eventId: event.eventId },
      );
      if (!row) return { previousId: null, nextId: null, position: 0, total: 0 };
      return {
        previousId: row.has_previous ? row.previous_id : null,
        nextId: row.has_next ? row.next_id : null,
        position: row.position,
        total: row.total,
      };
    },

    async listIssueEvents(scope, issue, { limit, before, range }) {
      if (!isVisible(scope, issue)) return { events: [], hasMore: false };
      return await readPage(database, ofIssue(scope, issue), limit, before, range);
    },

    async listEvents(scope, { limit, before, range }) {
      if (isEmpty(scope)) return { events: [], hasMore: false };
      const visible = inScope(scope);
      const newestMs = Math.min(before?.occurredAt ?? Date.now(), range?.toMs ?? Date.now());
      const toMs = range?.toMs ?? LAST_MOMENT_MS;
      for (const lookBackMs of LOOK_BACK_MS) {
        const fromMs = newestMs - lookBackMs;
        if (range && range.fromMs >= fromMs) break;
        const page = await readPage(database, visible, limit, before, { fromMs, toMs });
        if (page.hasMore) return page;
      }
      return await readPage(database, visible, limit, before, range);
    },

    async countActivity(scope, issues, range, bucketMs) {
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
          ? issue.hashes.map((hash) => ({ index, hash, projectId: issue.projectId }))
          : [],
      );
      if (places.length === 0) return activity;
      const hashes = listParam(
        'hashes',
        'Tuple(UInt64, FixedString(32))',
        places.map(({ projectId, hash }) => new TupleParam([projectId, hash])),
      );
      const names = listParam(
        'names',
        'String',
        places.map(({ projectId, hash }) => `${projectId}:${hash}`),
      );
      const indexes = listParam(
        'indexes',
        'UInt32',
        places.map(({ index }) => index),
      );
      const rows = await database.query<ActivityRow>(
        `SELECT issue, groupArray((bucket, events)) AS buckets, uniqExactMerge(users) AS users
         FROM (
           SELECT
             transform(concat(toString(project_id), ':', grouping_hash), ${names.sql}, ${indexes.sql},
               toUInt32(0)) AS issue,
             intDiv(toUnixTimestamp64Milli(occurred_at) - {fromMs:Int64}, {bucketMs:Int64}) AS bucket,
             uniqExact(event_id) AS events,
             uniqExactStateIf(user_hash, user_hash != 0) AS users
           FROM events
           WHERE organization_id = {organizationId:UInt64}
             AND (project_id, grouping_hash) IN ${hashes.sql}
             AND ${IN_RANGE}
           GROUP BY issue, bucket
         )
         GROUP BY issue`,
        {
          organizationId: scope.organizationId,
          ...hashes.params,
          ...names.params,
          ...indexes.params,
          fromMs: range.fromMs,
          toMs: range.toMs,
          bucketMs,
        },
      );
      for (const row of rows) {
        const entry = activity[row.issue]!;
        entry.users = row.users;
        for (const [bucket, events] of row.buckets) {
          entry.buckets[bucket] = events;
          entry.events += events;
        }
      }
      return activity;
    },

    async countTags(scope, issue, range, limits) {
      if (!isVisible(scope, issue)) return [];
      const own = ofIssue(scope, issue);
      const rows = await database.query<TagRow>(
        `SELECT key, sum(events) AS total, count() AS distinct,
           groupArraySorted({values:UInt8})((-toInt64(events), value)) AS top
         FROM (
           SELECT key, value, uniqExact(event_id) AS events
           FROM events ARRAY JOIN mapKeys(tags) AS key, mapValues(tags) AS value
           WHERE ${own.sql} AND ${IN_RANGE}
           GROUP BY key, value
         )
         GROUP BY key
         ORDER BY total DESC, key
         LIMIT {keys:UInt32}`,
        {
          ...own.params,
          fromMs: range.fromMs,
          toMs: range.toMs,
          keys: Math.min(limits.keys, TAG_KEYS_MAX),
          values: Math.min(limits.values, TAG_VALUES_MAX),
        },
      );
      return rows.map(toDistribution);
    },

    async ping() {
      await database.ping();
    },
  };
}

const EVENT_ID = /^[0-9a-f]{32}$/;

const IN_RANGE = `occurred_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
  AND occurred_at < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')`;

const isEmpty = (scope: EventScope): boolean => scope.projectIds.length === 0;

const isVisible = (scope: EventScope, issue: IssueEvents): boolean =>
  scope.projectIds.includes(issue.projectId) && issue.hashes.length > 0;

function inScope(scope: EventScope): SqlPart {
  const projectIds = listParam('projectIds', 'UInt64', scope.projectIds);
  return {
    sql: `organization_id = {organizationId:UInt64} AND project_id IN ${projectIds.sql}`,
    params: { organizationId: scope.organizationId, ...projectIds.params },
  };
}

function ofIssue(scope: EventScope, issue: IssueEvents): SqlPart {
  const hashes = listParam('hashes', 'FixedString(32)', issue.hashes);
  return {
    sql: `organization_id = {organizationId:UInt64} AND project_id = {projectId:UInt64}
      AND grouping_hash IN ${hashes.sql}`,
    params: { organizationId: scope.organizationId, projectId: issue.projectId, ...hashes.params },
  };
}

const toTuple = (key: EventKey): TupleParam =>
  new TupleParam([key.projectId, key.groupingHash, Math.trunc(key.occurredAt), key.eventId]);

type Before = { occurredAt: number; eventId: string } | null;

/**
 * Newest first. Copies of an event are dropped here, not by the server: a plain ORDER BY with LIMIT lets it read the
 * wide columns of the page's own rows only. Where copies took the place of others, the page is filled up.
 */
async function readPage(
  database: ClickhouseDatabase,
  conditions: SqlPart,
  limit: number,
  before: Before,
  range: TimeRange | null,
): Promise<EventPage> {
  if (limit > PAGE_EVENTS_MAX) throw invalid(`A page has at most ${PAGE_EVENTS_MAX} events`);
  const events = new Map<string, EventSummary>();
  // One more than the page has: it tells whether there are more.
  const wanted = limit + 1;
  let cursor = before;
  for (;;) {
    const rows = await database.query<SummaryRow>(
      `SELECT ${SUMMARY_COLUMNS} FROM events
       WHERE ${conditions.sql} ${range ? `AND ${IN_RANGE}` : ''} ${cursor ? `AND ${IS_BEFORE}` : ''}
       ORDER BY occurred_at DESC, event_id DESC
       LIMIT {rows:UInt32}`,
      {
        ...conditions.params,
        ...range,
        rows: wanted,
        beforeMs: cursor?.occurredAt,
        beforeId: cursor?.eventId,
      },
    );
    for (const row of rows) {
      const key = `${row.project_id}:${row.event_id}`;
      if (!events.has(key)) events.set(key, toSummary(row));
    }
    const last = rows.at(-1);
    if (!last || rows.length < wanted || events.size >= wanted) break;
    cursor = { occurredAt: last.occurred_ms, eventId: last.event_id };
  }
  return { events: [...events.values()].slice(0, limit), hasMore: events.size > limit };
}

const IS_BEFORE = `occurred_at <= fromUnixTimestamp64Milli({beforeMs:Int64}, 'UTC')
  AND (occurred_at, event_id) < (fromUnixTimestamp64Milli({beforeMs:Int64}, 'UTC'), {beforeId:FixedString(32)})`;

type NeighbourRow = {
  total: number;
  position: number;
  previous_id: string;
  next_id: string;
  has_previous: number;
  has_next: number;
};

type ActivityRow = { issue: number; users: number; buckets: readonly (readonly [number, number])[] };

type TagRow = { key: string; total: number; distinct: number; top: readonly (readonly [number, string])[] };

const toDistribution = (row: TagRow): TagDistribution => ({
  key: row.key,
  total: row.total,
  distinct: row.distinct,
  top: row.top.map(([negativeCount, value]) => ({ value, count: -negativeCount })),
});
