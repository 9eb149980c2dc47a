import type { DigestedEvent } from '#protocol/event.ts';
import type { ReprocessEvents } from '#storage/ports/reprocess-events.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { EVENT_COLUMNS, writeEventRow } from '../event-row.ts';
import { DELETE_SETTINGS, partitionOf } from '../regroup/move-events.ts';
import { RowBinaryWriter } from '../row-binary.ts';
import { readSearchColumns } from '../search/search-columns.ts';

/** What a row is expected to need; it grows by itself. */
const EVENT_BYTES = 16_384;
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
  const rows = await database.query<{ run: number; day: string }>(
    `SELECT DISTINCT toUInt64(splitByChar('-', partition_id)[1]) AS run,
       toString(parseDateTime(splitByChar('-', partition_id)[2], '%Y%m%d')::Date) AS day
     FROM system.parts
     WHERE database = {database:String} AND table = 'reprocessed_events' AND active AND rows > 0
       ${runId === null ? '' : "AND startsWith(partition_id, {runId:String} || '-')"}
     ORDER BY run, day DESC LIMIT ${PARTITIONS_MAX}`,
    { database: database.name, runId: String(runId) },
  );
  return rows.map((row) => ({ runId: row.run, day: row.day }));
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
  const hex = (number: string) => `leftPad(lower(hex(${number})), 32, '0')`;
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
