import type { EventScope, TimeRange } from '#storage/ports/events.ts';
import type { EventSamples, StoredForGrouping } from '#storage/ports/regroup-events.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { listParam } from '../list-param.ts';
import { GROUPING_COLUMNS, type GroupingRow, toGrouping } from './read-events.ts';

/** Hashes whose events are fetched by one query: their rows lie near each other, by day and hash. */
const HASHES_PER_QUERY = 1_000;

type SampleRow = { hash: string; day: string; ids: readonly string[] };

/**
 * The newest events of each hash, found in the narrow index; then their rows, newest day first, since most issues that
 * live have an event there and a day is read at once.
 */
export async function findSamples(
  database: ClickhouseDatabase,
  scope: EventScope,
  range: TimeRange,
  limits: { hashes: number; perHash: number },
): Promise<EventSamples> {
  const projects = listParam('projectIds', 'UInt64', scope.projectIds);
  const samples = await database.query<SampleRow>(
    `SELECT leftPad(lower(hex(grouping_hash)), 32, '0') AS hash, toString(max(received_on)) AS day,
       arrayMap(entry -> leftPad(lower(hex(entry.2)), 32, '0'),
         groupArraySorted({perHash:UInt8})((-toUnixTimestamp64Milli(occurred_at), event_index.event_id))) AS ids
     FROM event_index
     WHERE organization_id = {organizationId:UInt64} AND project_id IN ${projects.sql}
       AND received_on >= toDate(fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC'))
       AND received_on <= toDate(fromUnixTimestamp64Milli({toMs:Int64}, 'UTC'))
     GROUP BY grouping_hash ORDER BY day DESC, hash LIMIT {hashes:UInt32}`,
    {
      organizationId: scope.organizationId,
      ...projects.params,
      ...range,
      perHash: limits.perHash,
      hashes: limits.hashes,
    },
  );
  return { hashes: samples.map(({ hash }) => hash), read };

  async function* read(signal: AbortSignal): AsyncGenerator<readonly StoredForGrouping[]> {
    let coming = fetchPart(0);
    for (let start = 0; start < samples.length && !signal.aborted; start += HASHES_PER_QUERY) {
      const rows = await coming;
      coming = fetchPart(start + HASHES_PER_QUERY);
      coming.catch(() => {});
      yield rows.map(toGrouping);
    }
  }

  async function fetchPart(start: number): Promise<readonly GroupingRow[]> {
    const part = samples.slice(start, start + HASHES_PER_QUERY);
    const newest = part[0]?.day;
    const oldest = part.at(-1)?.day;
    if (newest === undefined || oldest === undefined) return [];
    const hashes = listParam(
      'hashes',
      'FixedString(32)',
      part.map(({ hash }) => hash),
    );
    const ids = listParam(
      'ids',
      'FixedString(32)',
      part.flatMap((sample) => sample.ids),
    );
    return await database.query<GroupingRow>(
      `SELECT ${GROUPING_COLUMNS} FROM events
       WHERE organization_id = {organizationId:UInt64} AND project_id IN ${projects.sql}
         AND received_at >= toDateTime64({oldest:String}, 3, 'UTC')
         AND received_at < toDateTime64({newest:String}, 3, 'UTC') + INTERVAL 1 DAY
         AND grouping_hash IN ${hashes.sql} AND events.event_id IN ${ids.sql}`,
      {
        organizationId: scope.organizationId,
        ...projects.params,
        ...hashes.params,
        ...ids.params,
        oldest,
        newest,
      },
    );
  }
}
