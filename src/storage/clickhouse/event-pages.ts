import { invalid } from '#lib/errors.ts';
import { DAY_MS } from '#lib/time.ts';
import type {
  EventListOptions,
  EventPage,
  EventScope,
  EventSummary,
  TimeRange,
} from '#storage/ports/events.ts';
import type { ClickhouseDatabase } from './client.ts';
import { SUMMARY_COLUMNS, toSummary } from './event-row.ts';
import { both, IN_RANGE, IS_NO_FEEDBACK, inScope, listParam, type SqlPart } from './query-params.ts';
import { matchEvents } from './search/match-events.ts';
import { SEARCH_SETTINGS, searching } from './search/search-limits.ts';
import { findCandidateDays } from './search/values/find-candidates.ts';
import { startOfDay } from './search/values/value-masks.ts';
import type { Cells } from './telemetry/columns.ts';

/** Events of one page. */
const PAGE_EVENTS_MAX = 1_000;
/** No event is younger: the end of what the column can hold. */
const LAST_MOMENT_MS = Date.UTC(2299, 11, 31);
/** How far back a page of all events looks first; a page that is not full looks further. */
const LOOK_BACK_MS = [DAY_MS, 7 * DAY_MS] as const;
/** A search looks at so many of the days on which an event may match, newest first; a page that is not full looks further. */
const DAYS_LOOKED_AT = [1, 5, Number.POSITIVE_INFINITY] as const;
/** Hashes in one statement; with more, events of all hashes are read. */
const HASHES_NAMED_MAX = 1_000;

/** Events of the scope but feedback, newest first. */
export async function listEvents(
  database: ClickhouseDatabase,
  scope: EventScope,
  options: EventListOptions,
): Promise<EventPage> {
  const { before, range } = options;
  const visible = both(inScope(scope), { sql: IS_NO_FEEDBACK, params: {} });
  const fromMs = range?.fromMs ?? 0;
  const toMs = before
    ? Math.min(before.occurredAt + 1, range?.toMs ?? LAST_MOMENT_MS)
    : (range?.toMs ?? LAST_MOMENT_MS);
  const candidates =
    options.expression &&
    (await findCandidateDays(database, scope, options.expression, { fromMs, toMs }, HASHES_NAMED_MAX));
  if (candidates) return await searchDays(database, visible, options, { fromMs, toMs }, candidates);
  const newestMs = Math.min(before?.occurredAt ?? Date.now(), range?.toMs ?? Date.now());
  for (const lookBackMs of LOOK_BACK_MS) {
    const sinceMs = newestMs - lookBackMs;
    if (range && range.fromMs >= sinceMs) break;
    const page = await readPage(database, visible, { ...options, range: { fromMs: sinceMs, toMs } });
    if (page.hasMore) return page;
  }
  return await readPage(database, visible, options);
}

/** As `readPage`, where it is known on which days an event may match, and with which hashes. */
async function searchDays(
  database: ClickhouseDatabase,
  visible: SqlPart,
  options: EventListOptions,
  range: TimeRange,
  { days, hashes }: { days: readonly number[]; hashes: readonly string[] | null },
): Promise<EventPage> {
  const named = hashes && listParam('among', 'FixedString(32)', hashes);
  const own = named ? both(visible, { sql: `grouping_hash IN ${named.sql}`, params: named.params }) : visible;
  let page: EventPage = { events: [], hasMore: false };
  let looked = 0;
  for (const count of DAYS_LOOKED_AT) {
    const oldest = days.slice(0, count).at(-1);
    if (oldest === undefined || looked === days.length) break;
    looked = Math.min(count, days.length);
    const fromMs = Math.max(range.fromMs, startOfDay(oldest));
    page = await readPage(database, own, { ...options, range: { fromMs, toMs: range.toMs } });
    if (page.hasMore) break;
  }
  return page;
}

/**
 * Newest first. Copies of an event are dropped here, not by the server: a plain ORDER BY with LIMIT lets it read the
 * wide columns of the page's own rows only. Where copies took the place of others, the page is filled up.
 */
export async function readPage(
  database: ClickhouseDatabase,
  own: SqlPart,
  { limit, before, range, expression }: EventListOptions,
): Promise<EventPage> {
  if (limit > PAGE_EVENTS_MAX) throw invalid(`A page can have at most ${PAGE_EVENTS_MAX} events`);
  const events = new Map<string, EventSummary>();
  // One more than the page has: it tells whether there are more.
  const wanted = limit + 1;
  const conditions = expression ? both(own, matchEvents(expression)) : own;
  let cursor = before;
  for (;;) {
    const reading = database.query<Cells>(
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
      const event = toSummary(row);
      const key = `${event.projectId}:${event.eventId}`;
      if (!events.has(key)) events.set(key, event);
      cursor = event;
    }
    if (rows.length < wanted || events.size >= wanted) break;
  }
  return { events: [...events.values()].slice(0, limit), hasMore: events.size > limit };
}

const IS_BEFORE = `occurred_at <= fromUnixTimestamp64Milli({beforeMs:Int64}, 'UTC')
  AND (occurred_at, event_id) < (fromUnixTimestamp64Milli({beforeMs:Int64}, 'UTC'), {beforeId:FixedString(32)})`;
