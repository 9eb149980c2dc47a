import { invalid } from '#lib/errors.ts';
import type {
  EventListOptions,
  EventPage,
  EventScope,
  EventStore,
  EventSummary,
  IssueEvents,
  StoredEvent,
  TagDistribution,
} from '#storage/ports/events.ts';
import type { ClickhouseDatabase } from './client.ts';
import {
  countActivity,
  findEdgeKey,
  findIndexed,
  findNeighbours,
  findNewestSince,
  insertIndex,
} from './event-index.ts';
import {
  EVENT_COLUMNS,
  STORED_COLUMNS,
  type StoredRow,
  SUMMARY_COLUMNS,
  type SummaryRow,
  toStored,
  toSummary,
  writeEventRow,
} from './event-row.ts';
import { IN_RANGE, inScope, isVisible } from './event-scope.ts';
import { listParam, type SqlPart } from './list-param.ts';
import { findFormerHashes } from './regroup/former-hashes.ts';
import { RowBinaryWriter } from './row-binary.ts';
import { matchEvents } from './search/match-events.ts';
import { createEventSearch } from './search/search-events.ts';
import { SEARCH_SETTINGS, searching } from './search/search-limits.ts';

const DAY_MS = 86_400_000;
const PAGE_EVENTS_MAX = 1_000;
const TAG_KEYS_MAX = 200;
const TAG_VALUES_MAX = 200;
/** What an insert is expected to need for an event; it grows by itself. */
const EVENT_BYTES = 8_192;
/** The recommended event is looked for among so many; of any hundred in a row at least one keeps its body. */
const RECOMMENDED_AMONG = 500;
/** No event is younger: the end of what the column can hold. */
const LAST_MOMENT_MS = Date.UTC(2299, 11, 31);
/** How far back a page of all events looks first; a page that is not full looks further. */
const LOOK_BACK_MS = [DAY_MS, 7 * DAY_MS] as const;

/** Events may lie twice in the table until parts are merged: every query here reads each of them once. */
export function createEventStore(database: ClickhouseDatabase): EventStore {
  return {
    async insertEvents(events, token) {
      if (events.length === 0) return;
      const rows = new RowBinaryWriter(events.length * EVENT_BYTES);
      for (const event of events) writeEventRow(rows, event);
      await database.insertBinary('events', EVENT_COLUMNS, rows.bytes(), token);
      await insertIndex(database, events, token);
    },

    findStored: (keys) => findIndexed(database, keys),

    findFormerHashes: (arrivals) => findFormerHashes(database, arrivals),

    async findEvent(scope, eventId) {
      if (isEmpty(scope) || !EVENT_ID.test(eventId)) return null;
      const visible = inScope(scope);
      const [row] = await database.query<StoredRow>(
        `SELECT ${STORED_COLUMNS} FROM events
         WHERE ${visible.sql} AND event_id = {eventId:FixedString(32)}
         ORDER BY received_at LIMIT 1`,
        { ...visible.params, eventId },
      );
      return row ? toStored(row) : null;
    },

    async findEdgeEvent(scope, issue, edge) {
      if (!isVisible(scope, issue)) return null;
      const own = ofIssue(scope, issue);
      const key = await findEdgeKey(database, scope, issue, edge === 'oldest' ? 'ASC' : 'DESC');
      if (!key) return null;
      const [row] = await database.query<StoredRow>(
        `SELECT ${STORED_COLUMNS} FROM events
         WHERE ${own.sql} AND toYYYYMMDD(received_at) = {partition:UInt32}
           AND grouping_hash = {hash:FixedString(32)}
           AND occurred_at = fromUnixTimestamp64Milli({occurredAt:Int64}, 'UTC')
           AND event_id = {eventId:FixedString(32)}
         LIMIT 1`,
        {
          ...own.params,
          partition: key.partition,
          hash: key.groupingHash,
          occurredAt: key.occurredAt,
          eventId: key.eventId,
        },
      );
      if (!row) return null;
      const event = toStored(row);
      if (edge !== 'recommended' || !event.isBodySampled) return event;
      return (await findNewestWithBody(database, own)) ?? event;
    },

    async findNeighbours(scope, issue, event) {
      if (!isVisible(scope, issue)) return { previousId: null, nextId: null, position: 0, total: 0 };
      return await findNeighbours(database, scope, issue, event);
    },

    async listIssueEvents(scope, issue, { limit, before, range, expression }) {
      if (!isVisible(scope, issue)) return { events: [], hasMore: false };
      return await readPage(database, ofIssue(scope, issue), { limit, before, range, expression });
    },

    async listEvents(scope, { limit, before, range, expression }) {
      if (isEmpty(scope)) return { events: [], hasMore: false };
      const visible = inScope(scope);
      const newestMs = Math.min(before?.occurredAt ?? Date.now(), range?.toMs ?? Date.now());
      const toMs = range?.toMs ?? LAST_MOMENT_MS;
      for (const lookBackMs of LOOK_BACK_MS) {
        const fromMs = newestMs - lookBackMs;
        if (range && range.fromMs >= fromMs) break;
        const page = await readPage(database, visible, {
          limit,
          before,
          range: { fromMs, toMs },
          expression,
        });
        if (page.hasMore) return page;
      }
      return await readPage(database, visible, { limit, before, range, expression });
    },

    ...createEventSearch(database),

    countActivity: (scope, issues, range, bucketMs) =>
      countActivity(database, scope, issues, range, bucketMs),

    async countTags(scope, issue, range, limits) {
      if (!isVisible(scope, issue)) return [];
      const own = ofIssue(scope, issue);
      const fromMs = await findNewestSince(database, scope, issue, range, limits.events);
      const rows = await database.query<TagRow>(
        // Many events have the same tags: these are counted once.
        `SELECT key, sum(events) AS total, count() AS distinct,
           groupArraySorted({values:UInt8})((-toInt64(events), value)) AS top
         FROM (
           SELECT key, value, sum(equal) AS events
           FROM (
             SELECT tags, uniqExact(event_id) AS equal FROM events
             WHERE ${own.sql} AND ${IN_RANGE} GROUP BY tags
           ) ARRAY JOIN mapKeys(tags) AS key, mapValues(tags) AS value
           GROUP BY key, value
         )
         GROUP BY key
         ORDER BY total DESC, key
         LIMIT {keys:UInt32}`,
        {
          ...own.params,
          fromMs,
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

/** Of the last events only, so that a spike of any size costs the same. */
async function findNewestWithBody(database: ClickhouseDatabase, own: SqlPart): Promise<StoredEvent | null> {
  const [row] = await database.query<StoredRow>(
    `SELECT ${STORED_COLUMNS} FROM events
     WHERE ${own.sql} AND payload != ''
       AND occurred_at >= (
         SELECT min(occurred_at) FROM (
           SELECT occurred_at FROM events WHERE ${own.sql} ORDER BY occurred_at DESC LIMIT {last:UInt32}
         )
       )
     ORDER BY occurred_at DESC, event_id DESC LIMIT 1`,
    { ...own.params, last: RECOMMENDED_AMONG },
  );
  return row ? toStored(row) : null;
}

const EVENT_ID = /^[0-9a-f]{32}$/;

const isEmpty = (scope: EventScope): boolean => scope.projectIds.length === 0;

function ofIssue(scope: EventScope, issue: IssueEvents): SqlPart {
  const hashes = listParam('hashes', 'FixedString(32)', issue.hashes);
  return {
    sql: `organization_id = {organizationId:UInt64} AND project_id = {projectId:UInt64}
      AND grouping_hash IN ${hashes.sql}`,
    params: { organizationId: scope.organizationId, projectId: issue.projectId, ...hashes.params },
  };
}

/**
 * Newest first. Copies of an event are dropped here, not by the server: a plain ORDER BY with LIMIT lets it read the
 * wide columns of the page's own rows only. Where copies took the place of others, the page is filled up.
 */
async function readPage(
  database: ClickhouseDatabase,
  own: SqlPart,
  { limit, before, range, expression }: EventListOptions,
): Promise<EventPage> {
  if (limit > PAGE_EVENTS_MAX) throw invalid(`A page has at most ${PAGE_EVENTS_MAX} events`);
  const events = new Map<string, EventSummary>();
  // One more than the page has: it tells whether there are more.
  const wanted = limit + 1;
  const conditions = expression ? both(own, matchEvents(expression)) : own;
  let cursor = before;
  for (;;) {
    const reading = database.query<SummaryRow>(
      `SELECT ${SUMMARY_COLUMNS} FROM events
       WHERE ${conditions.sql} ${range ? `AND ${IN_RANGE}` : ''} ${cursor ? `AND ${IS_BEFORE}` : ''}
       ORDER BY occurred_at DESC, event_id DESC
       LIMIT {rows:UInt32} ${expression ? SEARCH_SETTINGS : ''}`,
      {
        ...conditions.params,
        ...range,
        rows: wanted,
        beforeMs: cursor?.occurredAt,
        beforeId: cursor?.eventId,
      },
    );
    const rows = expression ? await searching(reading) : await reading;
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

const both = (a: SqlPart, b: SqlPart): SqlPart => ({
  sql: `${a.sql} AND ${b.sql}`,
  params: { ...a.params, ...b.params },
});

const IS_BEFORE = `occurred_at <= fromUnixTimestamp64Milli({beforeMs:Int64}, 'UTC')
  AND (occurred_at, event_id) < (fromUnixTimestamp64Milli({beforeMs:Int64}, 'UTC'), {beforeId:FixedString(32)})`;

type TagRow = { key: string; total: number; distinct: number; top: readonly (readonly [number, string])[] };

const toDistribution = (row: TagRow): TagDistribution => ({
  key: row.key,
  total: row.total,
  distinct: row.distinct,
  top: row.top.map(([negativeCount, value]) => ({ value, count: -negativeCount })),
});
