import type { DigestedEvent } from '#protocol/event.ts';
import type {
  EventFilter,
  EventScope,
  EventStore,
  EventsBeside,
  IssueEvents,
  SearchColumns,
  StoredEvent,
  TagDistribution,
} from '#storage/ports/events.ts';
import { BY_ID_SETTINGS } from './by-id-settings.ts';
import type { ClickhouseDatabase } from './client.ts';
import {
  findEdgeKey,
  findIndexed,
  findNeighbors,
  insertIndex,
  listFrequentHashes,
  NO_NEIGHBORS,
  ofNewest,
} from './event-index.ts';
import { listEvents, readPage } from './event-pages.ts';
import { EVENT_COLUMNS, STORED_COLUMNS, type StoredRow, toStored, writeEventRow } from './event-row.ts';
import { countActivity, rankIssues } from './issue-activity.ts';
import { IS_FOUND, inScope, isEmpty, isVisible, ofIssue, type SqlPart } from './query-params.ts';
import { findFormerHashes } from './regroup/read-events.ts';
import { RowBinaryWriter } from './row-binary.ts';
import { filterEvents } from './search/match-events.ts';
import { readSearchColumns } from './search/search-columns.ts';
import { createEventSearch } from './search/search-events.ts';
import { limitsOf, searching } from './search/search-limits.ts';
import { KnownValues } from './search/values/known-values.ts';
import { insertValues } from './search/values/store-values.ts';
import { addWrittenRow } from './written-events.ts';

/** Tag keys of one distribution. */
const TAG_KEYS_MAX = 200;
/** Values of one tag in a distribution. */
const TAG_VALUES_MAX = 200;
/** What an insert is expected to need for an event; it grows by itself. */
const EVENT_BYTES = 8_192;
/** The recommended event is looked for among so many; of any hundred in a row at least one keeps its body. */
const RECOMMENDED_AMONG = 500;

/** Events may lie twice in the table until parts are merged: every query here reads each of them once. */
export function createEventStore(database: ClickhouseDatabase): EventStore {
  const known = new KnownValues(Date.now());
  return {
    async insertEvents(events, token) {
      if (events.length === 0) return;
      const rows = new RowBinaryWriter(events.length * EVENT_BYTES);
      const searched: [DigestedEvent, SearchColumns][] = [];
      for (const event of events) {
        const columns = event.written?.columns ?? readSearchColumns(event);
        if (event.written) addWrittenRow(rows, event, event.written);
        else writeEventRow(rows, event, columns);
        searched.push([event, columns]);
      }
      await database.insertBinary('events', EVENT_COLUMNS, rows.bytes(), token);
      await insertValues(database, known, searched, token);
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
         ORDER BY received_at LIMIT 1 ${BY_ID_SETTINGS}`,
        { ...visible.params, eventId },
      );
      return row ? toStored(row) : null;
    },

    async countDetected(scope, range) {
      if (isEmpty(scope)) return 0;
      const visible = inScope(scope);
      const [row] = await database.query<{ events: number }>(
        `SELECT uniqExact(project_id, event_id) AS events FROM events
         WHERE ${visible.sql} AND ${IS_FOUND}
           AND received_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
           AND received_at < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')`,
        { ...visible.params, fromMs: Math.trunc(range.fromMs), toMs: Math.trunc(range.toMs) },
      );
      return row?.events ?? 0;
    },

    async findEdgeEvent(scope, issue, edge, filter) {
      return (await readEdge(database, scope, issue, edge, filter))?.event ?? null;
    },

    async findEdgeBeside(scope, issue, edge, filter) {
      const found = await readEdge(database, scope, issue, edge, filter);
      if (!found) return null;
      const { event, beside } = found;
      return { event, beside: beside ?? (await findNeighbors(database, scope, issue, event, filter)) };
    },

    async findNeighbors(scope, issue, event, filter) {
      if (!isVisible(scope, issue)) return NO_NEIGHBORS;
      return await findNeighbors(database, scope, issue, event, filter);
    },

    async listIssueEvents(scope, issue, { limit, before, range, expression }) {
      if (!isVisible(scope, issue)) return { events: [], hasMore: false };
      return await readPage(database, ofIssue(scope, issue), { limit, before, range, expression });
    },

    async listEvents(scope, { limit, before, range, expression }) {
      if (isEmpty(scope)) return { events: [], hasMore: false };
      return await listEvents(database, scope, { limit, before, range, expression });
    },

    ...createEventSearch(database),

    countActivity: (scope, issues, range, bucketMs, expression) =>
      countActivity(database, scope, issues, range, bucketMs, expression),

    rankIssues: (scope, issues, range, by, expression) =>
      rankIssues(database, scope, issues, range, by, expression),

    listFrequentHashes: (scope, range, limit) => listFrequentHashes(database, scope, range, limit),

    async countTags(scope, issue, range, limits, expression) {
      if (!isVisible(scope, issue)) return [];
      const own = await ofNewest(database, scope, issue, { range, expression }, limits.events);
      if (!own) return [];
      const counting = database.query<TagRow>(
        // Many events have the same tags: these are counted once.
        `SELECT key, sum(events) AS total, count() AS distinct,
           groupArraySorted({values:UInt8})((-toInt64(events), value, first_ms, last_ms, person)) AS top
         FROM (
           SELECT key, value, sum(equal) AS events, min(first) AS first_ms, max(last) AS last_ms,
             if(key = 'user', max(named), '') AS person
           FROM (
             SELECT tags, uniqExact(event_id) AS equal,
               toUnixTimestamp64Milli(min(occurred_at)) AS first,
               toUnixTimestamp64Milli(max(occurred_at)) AS last,
               max(if(user_email != '', user_email, user_username)) AS named
             FROM events
             WHERE ${own.sql} GROUP BY tags
           ) ARRAY JOIN mapKeys(tags) AS key, mapValues(tags) AS value
           GROUP BY key, value
         )
         GROUP BY key
         ORDER BY total DESC, key
         LIMIT {keys:UInt32} ${limitsOf({ expression })}`,
        {
          ...own.params,
          keys: Math.min(limits.keys, TAG_KEYS_MAX),
          values: Math.min(limits.values, TAG_VALUES_MAX),
        },
      );
      return (await searching(counting)).map(toDistribution);
    },

    async ping() {
      await database.ping();
    },
  };
}

type Edge = 'oldest' | 'latest' | 'recommended';

/**
 * The event at the edge, or the one that is recommended in its place; null when there is none, or it was deleted meanwhile.
 * `beside` is null when more has to be read to know it.
 */
async function readEdge(
  database: ClickhouseDatabase,
  scope: EventScope,
  issue: IssueEvents,
  edge: Edge,
  filter?: EventFilter,
): Promise<{ event: StoredEvent; beside: EventsBeside | null } | null> {
  if (!isVisible(scope, issue)) return null;
  const isOldest = edge === 'oldest';
  const found = await findEdgeKey(database, scope, issue, isOldest ? 'ASC' : 'DESC', filter);
  if (!found) return null;
  const { key, otherId } = found;
  const own = ofIssue(scope, issue);
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
  const withBody =
    edge === 'recommended' && event.isBodySampled
      ? await findNewestWithBody(database, filterEvents(own, filter))
      : null;
  if (withBody) return { event: withBody, beside: null };
  if (otherId === undefined) return { event, beside: null };
  return {
    event,
    beside: { previousId: isOldest ? null : otherId, nextId: isOldest ? otherId : null },
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

type TagRow = {
  key: string;
  total: number;
  distinct: number;
  top: readonly (readonly [
    negativeCount: number,
    value: string,
    firstMs: number,
    lastMs: number,
    person: string,
  ])[];
};

const toDistribution = (row: TagRow): TagDistribution => ({
  key: row.key,
  total: row.total,
  distinct: row.distinct,
  top: row.top.map(([negativeCount, value, firstSeen, lastSeen, person]) => ({
    value,
    count: -negativeCount,
    firstSeen,
    lastSeen,
    ...(person === '' ? {} : { person }),
  })),
});
