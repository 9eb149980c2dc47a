import type { EventScope, TimeRange } from '#storage/ports/events.ts';
import type { EventSamples, RegroupEvents, StoredForGrouping } from '#storage/ports/regroup-events.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { hex, listParam } from '../query-params.ts';
import { listMoveDays, moveDay, noteMoves } from './move-events.ts';
import { GROUPING_COLUMNS, type GroupingRow, readDay, toGrouping } from './read-events.ts';

/** Days listed in one query. */
const DAYS_MAX = 10_000;

export function createRegroupEvents(database: ClickhouseDatabase): RegroupEvents {
  return {
    async listDays(organizationId, projectId, sinceMs) {
      return await database.query<{ day: string; events: number }>(
        `SELECT toString(toDate(received_at)) AS day, count() AS events FROM events
         WHERE organization_id = {organizationId:UInt64} AND project_id = {projectId:UInt64}
           AND received_at >= fromUnixTimestamp64Milli({sinceMs:Int64}, 'UTC')
         GROUP BY day ORDER BY day DESC LIMIT ${DAYS_MAX}`,
        { organizationId, projectId, sinceMs: sinceMs ?? 0 },
      );
    },

    async findNewestArrival(organizationId, projectId) {
      const [row] = await database.query<{ ms: number }>(
        `SELECT toUnixTimestamp64Milli(max(received_at)) AS ms FROM events
         WHERE organization_id = {organizationId:UInt64} AND project_id = {projectId:UInt64}`,
        { organizationId, projectId },
      );
      return row?.ms ?? 0;
    },

    readDay: (...input) => readDay(database, ...input),
    noteMoves: (...input) => noteMoves(database, ...input),
    listMoveDays: (...input) => listMoveDays(database, ...input),
    moveDay: (...input) => moveDay(database, ...input),
    findSamples: (...input) => findSamples(database, ...input),

    async forget(changeIds) {
      for (const changeId of changeIds) {
        await database.command(`ALTER TABLE regroup_moves DROP PARTITION ${Math.trunc(changeId)}`);
      }
    },
  };
}

/** Events that are fetched by one query: their rows lie near each other, by day and hash. Their ids fit into a parameter. */
const EVENTS_PER_QUERY = 2_000;

type SampleRow = {
  hash: string;
  newest_id: string;
  newest_day: string;
  oldest_id: string;
  oldest_day: string;
};
type Place = { hash: string; id: string; day: string };

/**
 * The newest event of each hash, then the oldest, found in the narrow index; then their rows, newest day first, since most
 * issues that live have an event there and a day is read at once.
 */
export async function findSamples(
  database: ClickhouseDatabase,
  scope: EventScope,
  range: TimeRange,
  hashesMax: number,
): Promise<EventSamples> {
  const projects = listParam('projectIds', 'UInt64', scope.projectIds);
  const samples = await database.query<SampleRow>(
    `SELECT ${hex('grouping_hash')} AS hash,
       ${hex('argMax(event_index.event_id, occurred_at)')} AS newest_id,
       toString(argMax(received_on, occurred_at)) AS newest_day,
       ${hex('argMin(event_index.event_id, occurred_at)')} AS oldest_id,
       toString(argMin(received_on, occurred_at)) AS oldest_day
     FROM event_index
     WHERE organization_id = {organizationId:UInt64} AND project_id IN ${projects.sql}
       AND received_on >= toDate(fromUnixTimestamp64Milli({fromMs:Int64}))
       AND received_on <= toDate(fromUnixTimestamp64Milli({toMs:Int64}))
     GROUP BY project_id, grouping_hash ORDER BY newest_day DESC, hash LIMIT {hashes:UInt32}
     SETTINGS optimize_aggregation_in_order = 1`,
    { organizationId: scope.organizationId, ...projects.params, ...range, hashes: hashesMax },
  );
  const newest = samples.map((row): Place => ({ hash: row.hash, id: row.newest_id, day: row.newest_day }));
  const oldest = samples
    .filter((row) => row.oldest_id !== row.newest_id)
    .map((row): Place => ({ hash: row.hash, id: row.oldest_id, day: row.oldest_day }))
    .sort((a, b) => (a.day === b.day ? compare(a.hash, b.hash) : compare(b.day, a.day)));
  const parts = [...partsOf(newest), ...partsOf(oldest)];
  return { hashes: samples.map(({ hash }) => hash), read };

  async function* read(signal: AbortSignal): AsyncGenerator<readonly StoredForGrouping[]> {
    let coming = fetchPart(parts[0] ?? []);
    for (let at = 0; at < parts.length && !signal.aborted; at++) {
      const rows = await coming;
      coming = fetchPart(parts[at + 1] ?? []);
      // Whoever stops reading does not wait for the part on its way, and its failure is nobody's.
      coming.catch(() => {});
      yield rows.map(toGrouping);
    }
  }

  async function fetchPart(part: readonly Place[]): Promise<readonly GroupingRow[]> {
    const lastDay = part[0]?.day;
    const firstDay = part.at(-1)?.day;
    if (firstDay === undefined || lastDay === undefined) return [];
    return await database.query<GroupingRow>(
      `SELECT ${GROUPING_COLUMNS} FROM events
       WHERE organization_id = {organizationId:UInt64} AND project_id IN ${projects.sql}
         AND received_at >= toDateTime64({firstDay:String}, 3, 'UTC')
         AND received_at < toDateTime64({lastDay:String}, 3, 'UTC') + INTERVAL 1 DAY
         AND grouping_hash IN (${textsOf('hashes')}) AND events.event_id IN (${textsOf('ids')})`,
      {
        organizationId: scope.organizationId,
        ...projects.params,
        hashes: part.map(({ hash }) => hash).join(''),
        ids: part.map(({ id }) => id).join(''),
        firstDay,
        lastDay,
      },
    );
  }
}

function partsOf(places: readonly Place[]): (readonly Place[])[] {
  const parts: (readonly Place[])[] = [];
  for (let start = 0; start < places.length; start += EVENTS_PER_QUERY)
    parts.push(places.slice(start, start + EVENTS_PER_QUERY));
  return parts;
}

/** Texts of 32 characters, one after the other in one parameter: a list of thousands takes the server longer to read. */
const textsOf = (name: string): string =>
  `SELECT CAST(arrayJoin(extractAll({${name}:String}, '.{32}')) AS FixedString(32))`;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
