import type { DigestedEvent, EventMetadata } from '#protocol/event.ts';
import type { ReprocessEvents, ReprocessFilter } from '#storage/ports/reprocess-events.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { EVENT_COLUMNS, STORED_COLUMNS, type StoredRow, toStored, writeEventRow } from '../event-row.ts';
import { hex, listParam, type SqlPart } from '../query-params.ts';
import { DELETE_SETTINGS, partitionOf } from '../regroup/move-events.ts';
import { RowBinaryWriter } from '../row-binary.ts';
import { readSearchColumns } from '../search/search-columns.ts';

/** What a row is expected to need; it grows by itself. */
const EVENT_BYTES = 16_384;
/** Staged partitions listed in one query. */
const PARTITIONS_MAX = 10_000;

type StagedDay = { runId: number; day: string };

export async function stageEvents(
  database: ClickhouseDatabase,
  runId: number,
  events: readonly DigestedEvent[],
): Promise<void> {
  const [first] = events;
  const last = events.at(-1);
  if (!first || !last) return;
  const rows = new RowBinaryWriter(events.length * EVENT_BYTES);
  for (const event of events) {
    writeEventRow(rows, event, readSearchColumns(event));
    rows.int64(runId);
  }
  // What a former try wrote of the same events may be something else: nothing is to be left out as a copy.
  const token = `${runId}:${first.eventId}:${last.eventId}:${events.length}:${Date.now()}`;
  await database.insertBinary('reprocessed_events', [...EVENT_COLUMNS, 'reprocess_run'], rows.bytes(), token);
}

/** Days of a run that hold staged rows, or of all runs; newest first. */
export async function listStagedPartitions(
  database: ClickhouseDatabase,
  runId: number | null,
): Promise<readonly StagedDay[]> {
  return await database.query<StagedDay>(
    `SELECT DISTINCT toUInt64(splitByChar('-', partition_id)[1]) AS runId,
       toString(parseDateTime(splitByChar('-', partition_id)[2], '%Y%m%d')::Date) AS day
     FROM ${database.system('parts')}
     WHERE database = {database:String} AND table = 'reprocessed_events' AND active AND rows > 0
       ${runId === null ? '' : "AND startsWith(partition_id, {runId:String} || '-')"}
     ORDER BY runId, day DESC LIMIT ${PARTITIONS_MAX}`,
    { database: database.storedIn, runId: String(runId) },
  );
}

export async function forgetStagedDays(
  database: ClickhouseDatabase,
  staged: readonly StagedDay[],
): Promise<void> {
  for (const { runId, day } of staged) {
    await database.command(
      `ALTER TABLE reprocessed_events DROP PARTITION ID '${Math.trunc(runId)}-${partitionOf(day)}'`,
    );
  }
}

/** Days are read newest first, and the events of a day by hash, time and id. */
export async function forgetUnsaved(
  database: ClickhouseDatabase,
  ...[runId, place]: Parameters<ReprocessEvents['forgetUnsaved']>
): Promise<void> {
  const behind = (day: string, hash: string, id: string) =>
    place === null
      ? '1'
      : `(${day} < {day:Date} OR (${day} = {day:Date} AND ${
          place.after === null
            ? '1'
            : `(${hash}, occurred_at, ${id}) >
               ({hash:String}, fromUnixTimestamp64Milli({occurredAt:Int64}, 'UTC'), {eventId:String})`
        }))`;
  const params = { runId, day: place?.day, ...place?.after };
  await database.write(
    `DELETE FROM reprocessed_events WHERE reprocess_run = {runId:UInt64}
       AND ${behind('toDate(received_at)', 'toString(grouping_hash)', 'toString(event_id)')}
     ${DELETE_SETTINGS}`,
    params,
  );
  await database.write(
    `DELETE FROM regroup_moves WHERE change_id = {runId:UInt64}
       AND ${behind('received_on', hex('from_hash'), hex('event_id'))}
     ${DELETE_SETTINGS}`,
    params,
  );
}

/** What symbolication writes into a frame that it could not take to its source. */
const PROBLEM = '"source_problem"';

/**
 * Of `events`: those whose body is kept and that the filter is about. Rows that a run replaced, and that nothing moved
 * since, may be of one that was cancelled: they show no problem any more, and have their old hash still.
 */
export function filterEvents({ releases, hashes, withProblemOnly }: ReprocessFilter): SqlPart {
  const parts: SqlPart[] = [{ sql: "payload != ''", params: {} }];
  if (releases) {
    const list = listParam('releases', 'String', releases);
    parts.push({ sql: `release IN ${list.sql}`, params: list.params });
  }
  if (hashes) {
    const list = listParam('hashes', 'FixedString(32)', hashes);
    parts.push({ sql: `grouping_hash IN ${list.sql}`, params: list.params });
  }
  if (withProblemOnly)
    parts.push({ sql: `(position(payload, '${PROBLEM}') > 0 OR reprocess_run != 0)`, params: {} });
  return {
    sql: parts.map(({ sql }) => sql).join(' AND '),
    params: Object.assign({}, ...parts.map(({ params }) => params)) as SqlPart['params'],
  };
}

/** An event may lie in the index twice until parts are merged. */
export async function findSeen(
  database: ClickhouseDatabase,
  ...[{ organizationId, projectId }, hashes]: Parameters<ReprocessEvents['findSeen']>
): ReturnType<ReprocessEvents['findSeen']> {
  const list = listParam(
    'hashes',
    'UInt128',
    hashes.map((hash) => BigInt(`0x${hash}`)),
  );
  return await database.query<{ hash: string; events: number; firstSeen: number; lastSeen: number }>(
    `SELECT ${hex('grouping_hash')} AS hash, uniqExact(event_id) AS events,
       toUnixTimestamp64Milli(min(occurred_at)) AS firstSeen, toUnixTimestamp64Milli(max(occurred_at)) AS lastSeen
     FROM event_index
     WHERE organization_id = {organizationId:UInt64} AND project_id = {projectId:UInt64}
       AND grouping_hash IN ${list.sql}
     GROUP BY grouping_hash`,
    { ...list.params, organizationId, projectId },
  );
}

/** As a block is read by: see readBlocks. */
export const DIGESTED_COLUMNS = `${STORED_COLUMNS}, organization_id AS organizationId, key_id AS keyId,
  event_id AS eventId, grouping_hash AS hash, toUnixTimestamp64Milli(occurred_at) AS occurredAt`;

type DigestedRow = StoredRow &
  Pick<DigestedEvent, 'organizationId' | 'keyId' | 'eventId' | 'occurredAt'> & { hash: string };

/** The event as digest had stored it. */
export function toDigested(row: DigestedRow): DigestedEvent {
  const { isBodySampled, groupingHash, ...event } = toStored(row);
  return {
    ...event,
    organizationId: row.organizationId,
    keyId: row.keyId,
    type: row.type,
    metadata: JSON.parse(row.metadata) as EventMetadata,
    groupingHash,
    groupingHashes: [groupingHash],
    logger: row.logger || null,
    dist: row.dist || null,
    traceId: row.trace_id || null,
    sdk: { name: row.sdk_name, version: row.sdk_version },
    hasBody: !isBodySampled,
  };
}
