import type {
  AskedEvents,
  EventExploreStore,
  EventGroup,
  ExploredEvent,
  ExploredField,
  GroupSort,
} from '#storage/ports/event-explore.ts';
import type { EventScope } from '#storage/ports/events.ts';
import type { ClickhouseDatabase } from './client.ts';
import { IN_RANGE, IS_SENT, inScope, listParam, type SqlPart } from './query-params.ts';
import { fieldText, fieldValue, matchEvents } from './search/match-events.ts';
import { SEARCH_SETTINGS, searching } from './search/search-limits.ts';

/** Events may lie twice in the table until parts are merged: every query here counts each of them once. */
export function createEventExploreStore(database: ClickhouseDatabase): EventExploreStore {
  const ask = async <Row>(sql: string, params: SqlPart['params']): Promise<Row[]> =>
    await searching(database.query<Row>(`${sql} ${SEARCH_SETTINGS}`, params));

  return {
    async countOverTime(scope, asked, bucketMs) {
      const length = Math.ceil((asked.range.toMs - asked.range.fromMs) / bucketMs);
      const buckets = Array<number>(length).fill(0);
      if (scope.projectIds.length === 0) return { buckets, events: 0, users: 0 };
      const where = askedRows(scope, asked);
      const [counts, [who]] = await Promise.all([
        ask<{ bucket: number; events: number }>(
          `SELECT intDiv(toUnixTimestamp64Milli(occurred_at) - {fromMs:Int64}, {bucketMs:Int64}) AS bucket,
             ${EVENTS} AS events
           FROM events WHERE ${where.sql} GROUP BY bucket`,
          { ...where.params, bucketMs },
        ),
        ask<{ users: number }>(`SELECT ${USERS} AS users FROM events WHERE ${where.sql}`, where.params),
      ]);
      for (const { bucket, events } of counts) buckets[bucket] = events;
      return { buckets, events: buckets.reduce((sum, count) => sum + count, 0), users: who?.users ?? 0 };
    },

    async groupBy(scope, asked, field, page) {
      if (scope.projectIds.length === 0) return { groups: [], distinct: 0 };
      const where = askedRows(scope, asked);
      const value = exploredValue(field);
      const direction = page.isDescending ? 'DESC' : 'ASC';
      const rows = await ask<EventGroup & { distinct: number }>(
        `SELECT value, uniqExact(id) AS events, uniqExactIf(user_hash, user_hash != 0) AS users,
           toUnixTimestamp64Milli(min(occurred_at)) AS firstSeen,
           toUnixTimestamp64Milli(max(occurred_at)) AS lastSeen, count() OVER () AS distinct
         FROM (
           SELECT ${EVENT_HASH} AS id, user_hash, occurred_at, ${value.sql} AS value
           FROM events WHERE ${where.sql}
         )
         GROUP BY value ORDER BY ${SORTS[page.sort]} ${direction}, value
         LIMIT {groups:UInt32} OFFSET {skipped:UInt32}`,
        { ...where.params, ...value.params, groups: page.limit, skipped: page.offset },
      );
      return { groups: rows.map(({ distinct: _, ...group }) => group), distinct: rows[0]?.distinct ?? 0 };
    },

    async listFields(scope, asked, fields, { order, limit, after }) {
      if (scope.projectIds.length === 0) return { events: [], hasMore: false };
      const where = askedRows(scope, asked);
      const texts = exploredTexts(fields);
      const direction = order === 'newest' ? 'DESC' : 'ASC';
      const events = new Map<string, ExploredEvent>();
      // One more than the page has: it tells whether there are more. Copies are dropped here, as in the list of events.
      const wanted = limit + 1;
      let cursor: typeof after = after;
      for (;;) {
        const rows = await ask<ExploredEvent>(
          `SELECT project_id AS projectId, event_id AS eventId, grouping_hash AS groupingHash, title,
             toUnixTimestamp64Milli(occurred_at) AS occurredAt, ${texts.sql} AS values
           FROM events WHERE ${where.sql} ${cursor ? `AND ${isAfter(order)}` : ''}
           ORDER BY occurred_at ${direction}, event_id ${direction} LIMIT {rows:UInt32}`,
          {
            ...where.params,
            ...texts.params,
            rows: wanted,
            ...(cursor && { placeMs: cursor.occurredAt, placeId: cursor.eventId }),
          },
        );
        for (const row of rows) {
          const key = `${row.projectId}:${row.eventId}`;
          if (!events.has(key)) events.set(key, row);
        }
        const last = rows.at(-1);
        if (!last || rows.length < wanted || events.size >= wanted) break;
        cursor = last;
      }
      return { events: [...events.values()].slice(0, limit), hasMore: events.size > limit };
    },
  };
}

function askedRows(scope: EventScope, { range, expression }: AskedEvents): SqlPart {
  const visible = inScope(scope);
  const matching = matchEvents(expression);
  return {
    sql: `${visible.sql} AND ${IN_RANGE} AND ${IS_SENT} AND ${matching.sql}`,
    params: {
      ...visible.params,
      ...matching.params,
      fromMs: Math.trunc(range.fromMs),
      toMs: Math.trunc(range.toMs),
    },
  };
}

/** An eighth of what the ids themselves take, which bounds how many events can be counted in the memory of a search. */
const EVENT_HASH = 'cityHash64(project_id, event_id)';
const EVENTS = `uniqExact(${EVENT_HASH})`;
const USERS = 'uniqExactIf(user_hash, user_hash != 0)';

const SORTS: Readonly<Record<GroupSort, string>> = {
  events: 'events',
  users: 'users',
  first: 'firstSeen',
  last: 'lastSeen',
  value: 'value',
};

const isAfter = (order: 'newest' | 'oldest'): string => {
  const sign = order === 'newest' ? '<' : '>';
  return `occurred_at ${sign}= fromUnixTimestamp64Milli({placeMs:Int64}, 'UTC')
    AND (occurred_at, event_id) ${sign} (fromUnixTimestamp64Milli({placeMs:Int64}, 'UTC'), {placeId:FixedString(32)})`;
};

/** The values of a field, one per row. */
export const exploredValue = (field: ExploredField, prefix?: string): SqlPart =>
  isOwn(field) ? ownText(field, prefix) : fieldValue(field, prefix);

/** One text per field, as an array in the same order. */
export function exploredTexts(fields: readonly ExploredField[]): SqlPart {
  const parts = fields.map((field, index) => exploredText(field, `field${index}_`));
  return {
    // The type, so that no field at all is an array of texts too.
    sql: `CAST([${parts.map((part) => part.sql).join(', ')}] AS Array(String))`,
    params: Object.fromEntries(parts.flatMap((part) => Object.entries(part.params))),
  };
}

/** The values of a field as one text. */
export const exploredText = (field: ExploredField, prefix: string): SqlPart =>
  isOwn(field) ? ownText(field, prefix) : fieldText(field, prefix);

/** What no search names as a text. */
type OwnField = Extract<ExploredField, { kind: 'project' | 'user' | 'grouping' | 'flag' }>;

const isOwn = (field: ExploredField): field is OwnField =>
  field.kind === 'project' || field.kind === 'user' || field.kind === 'grouping' || field.kind === 'flag';

/** As `user_hash` of the table is made. */
const USER = `multiIf(user_id != '', concat('id:', user_id), user_email != '', concat('email:', user_email),
  user_username != '', concat('username:', user_username), user_ip != '', concat('ip:', user_ip), '')`;

function ownText(field: OwnField, prefix = 'own_'): SqlPart {
  if (field.kind === 'project') return { sql: 'toString(project_id)', params: {} };
  if (field.kind === 'user') return { sql: USER, params: {} };
  if (field.kind === 'grouping') return groupingText(field.standIns, prefix);
  const isTrue = field.name === 'error.handled' ? 'NOT is_unhandled' : 'is_in_app';
  return { sql: `if(${isTrue}, 'true', 'false')`, params: {} };
}

function groupingText(standIns: ReadonlyMap<string, string>, prefix: string): SqlPart {
  const key = "concat(toString(project_id), ':', grouping_hash)";
  if (standIns.size === 0) return { sql: key, params: {} };
  const from = listParam(`${prefix}from`, 'String', [...standIns.keys()]);
  const to = listParam(`${prefix}to`, 'String', [...standIns.values()]);
  return {
    sql: `transform(${key}, ${from.sql}, ${to.sql}, ${key})`,
    params: { ...from.params, ...to.params },
  };
}
