import { DAY_MS } from '#lib/time.ts';
import type { AlertEventStore, WantedEvent } from '#storage/ports/alert-events.ts';
import type { StoredEvent } from '#storage/ports/events.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { STORED_COLUMNS, STORED_COLUMNS_WITHOUT_BODY, type StoredRow, toStored } from '../event-row.ts';
import { hex, listParam, toNumber } from '../query-params.ts';
import { searching } from '../search/search-limits.ts';
import { countWindow, findFirstIn } from './count-window.ts';
import { countSteps, listCrowded, listMoments } from './list-moments.ts';
import { measure } from './measure.ts';

export const createAlertEventStore = (database: ClickhouseDatabase): AlertEventStore => ({
  findEvents: (organizationId, wanted, receivedSinceMs, withPayload) =>
    findEvents(database, organizationId, wanted, receivedSinceMs, withPayload),
  countWindow: (scope, issues, asked) => countWindow(database, scope, issues, asked),
  findFirstIn: (scope, issues, asked) => findFirstIn(database, scope, issues, asked),
  countSteps: (scope, asked) => countSteps(database, scope, asked),
  listMoments: (scope, asked, limit) => listMoments(database, scope, asked, limit),
  listCrowded: (scope, asked, limit) => listCrowded(database, scope, asked, limit),
  measure: (scope, asked) => measure(database, scope, asked),
});

type NamedEvent = { projectId: number; hashes: readonly string[]; eventId: string; receivedSinceMs: number };

export async function findEvents(
  database: ClickhouseDatabase,
  organizationId: number,
  wanted: readonly WantedEvent[],
  receivedSinceMs: number,
  withPayload: boolean,
): Promise<readonly (StoredEvent | null)[]> {
  const newest = await findNewest(
    database,
    organizationId,
    wanted.filter(({ eventId }) => eventId === null),
  );
  const named = wanted.map((want): NamedEvent | null =>
    want.eventId === null ? (newest.get(want) ?? null) : { ...want, eventId: want.eventId, receivedSinceMs },
  );
  const asked = named.filter((event) => event !== null).filter(({ hashes }) => hashes.length > 0);
  if (asked.length === 0) return named.map(() => null);
  const events = await readEvents(database, organizationId, asked, withPayload);
  const found = new Map(events.map((event) => [`${event.projectId}:${event.eventId}`, event]));
  return named.map((event) => (event && found.get(`${event.projectId}:${event.eventId}`)) ?? null);
}

/** The hashes lead to the rows, the days to the partitions: ids alone would read the whole project. */
async function readEvents(
  database: ClickhouseDatabase,
  organizationId: number,
  events: readonly NamedEvent[],
  withPayload: boolean,
): Promise<readonly StoredEvent[]> {
  const projects = listParam('projects', 'UInt64', distinct(events.map(({ projectId }) => projectId)));
  const hashes = listParam('hashes', 'FixedString(32)', distinct(events.flatMap((event) => event.hashes)));
  const ids = listParam('ids', 'FixedString(32)', distinct(events.map(({ eventId }) => eventId)));
  const rows = await searching(
    database.query<StoredRow>(
      `SELECT ${withPayload ? STORED_COLUMNS : STORED_COLUMNS_WITHOUT_BODY} FROM events
     WHERE organization_id = {organizationId:UInt64} AND project_id IN ${projects.sql}
       AND grouping_hash IN ${hashes.sql} AND event_id IN ${ids.sql}
       AND received_at >= fromUnixTimestamp64Milli({sinceMs:Int64}, 'UTC')
     LIMIT 1 BY project_id, event_id`,
      {
        organizationId,
        ...projects.params,
        ...hashes.params,
        ...ids.params,
        sinceMs: Math.trunc(Math.min(...events.map((event) => event.receivedSinceMs))),
      },
    ),
  );
  return rows.map(toStored);
}

/** The newest event of each of them, of its environment if it names one. */
async function findNewest(
  database: ClickhouseDatabase,
  organizationId: number,
  wanted: readonly WantedEvent[],
): Promise<ReadonlyMap<WantedEvent, NamedEvent>> {
  const newest = new Map<WantedEvent, NamedEvent>();
  for (const [environment, group] of Map.groupBy(wanted, (each) => each.environment)) {
    const rows = await listNewest(database, organizationId, group, environment);
    const byHash = new Map(rows.map((row) => [`${row.projectId}:${row.hash}`, row]));
    for (const each of group) {
      const last = each.hashes
        .flatMap((hash) => byHash.get(`${each.projectId}:${hash}`) ?? [])
        .reduce<NewestRow | null>((best, row) => (best && best.ms >= row.ms ? best : row), null);
      if (!last) continue;
      newest.set(each, {
        projectId: each.projectId,
        hashes: [last.hash],
        eventId: last.eventId,
        receivedSinceMs: last.day * DAY_MS,
      });
    }
  }
  return newest;
}

/** By hash; the index does not know environments. */
async function listNewest(
  database: ClickhouseDatabase,
  organizationId: number,
  wanted: readonly WantedEvent[],
  environment: string | null,
): Promise<readonly NewestRow[]> {
  const isAny = environment === null;
  const projects = listParam('projects', 'UInt64', distinct(wanted.map(({ projectId }) => projectId)));
  const asked = distinct(wanted.flatMap(({ hashes }) => hashes));
  const hashes = isAny
    ? listParam('hashes', 'UInt128', asked.map(toNumber))
    : listParam('hashes', 'FixedString(32)', asked);
  const id = 'argMax(event_id, (occurred_at, event_id))';
  const day = isAny ? 'received_on' : 'toDate(received_at)';
  return await searching(
    database.query<NewestRow>(
      `SELECT project_id AS projectId, ${isAny ? hex('grouping_hash') : 'toString(grouping_hash)'} AS hash,
         ${isAny ? hex(id) : `toString(${id})`} AS eventId, toUnixTimestamp64Milli(max(occurred_at)) AS ms,
         toUInt32(argMax(${day}, (occurred_at, event_id))) AS day
       FROM ${isAny ? 'event_index' : 'events'}
       WHERE organization_id = {organizationId:UInt64} AND project_id IN ${projects.sql}
         AND grouping_hash IN ${hashes.sql} ${isAny ? '' : 'AND environment = {environment:String}'}
       GROUP BY project_id, grouping_hash`,
      { organizationId, ...projects.params, ...hashes.params, ...(!isAny && { environment }) },
    ),
  );
}

type NewestRow = { projectId: number; hash: string; eventId: string; ms: number; day: number };

const distinct = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];
