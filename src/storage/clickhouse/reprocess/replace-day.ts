import type { ReprocessEvents } from '#storage/ports/reprocess-events.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { EVENT_COLUMNS } from '../event-row.ts';
import { DELETE_SETTINGS, INSERT_SETTINGS, partitionOf } from '../regroup/move-events.ts';
import { indexStoredValues, noteRemoved } from '../search/values/stored-values.ts';

const STAGED = `SELECT grouping_hash, event_id FROM reprocessed_events
  WHERE reprocess_run = {runId:UInt64} AND toDate(received_at) = {day:Date}`;
const STAGED_HASHES = `SELECT DISTINCT grouping_hash FROM reprocessed_events
  WHERE reprocess_run = {runId:UInt64} AND toDate(received_at) = {day:Date}`;
const OF_DAY = `organization_id = {organizationId:UInt64} AND project_id = {projectId:UInt64}
  AND toDate(received_at) = {day:Date}`;

/**
 * Insert, then delete: in between an event is there twice, and read once. The new row has the same key, so the index of
 * events stays as it is; that of values follows.
 */
export async function replaceDay(
  database: ClickhouseDatabase,
  ...[runId, place, day]: Parameters<ReprocessEvents['replaceDay']>
): Promise<void> {
  const params = { ...place, runId, day };
  const columns = EVENT_COLUMNS.join(', ');
  await database.write(
    // Those that were deleted, or moved to another hash, since they were read are not brought back.
    `INSERT INTO events (${columns}, reprocess_run)
     SELECT ${columns}, reprocess_run FROM reprocessed_events FINAL
     WHERE reprocess_run = {runId:UInt64} AND toDate(received_at) = {day:Date}
       AND (grouping_hash, event_id) IN (
         SELECT grouping_hash, event_id FROM events
         WHERE ${OF_DAY} AND grouping_hash IN (${STAGED_HASHES})
       )
     ${INSERT_SETTINGS}`,
    params,
  );
  const renewed = `${OF_DAY} AND grouping_hash IN (${STAGED_HASHES})`;
  for (const statement of indexStoredValues(`${renewed} AND reprocess_run = {runId:UInt64}`)) {
    await database.write(statement, params);
  }
  await database.write(noteRemoved(renewed, Date.now()), params);
  await database.write(
    `DELETE FROM events IN PARTITION ${partitionOf(day)}
     WHERE project_id = {projectId:UInt64} AND toDate(received_at) = {day:Date}
       AND reprocess_run != {runId:UInt64} AND (grouping_hash, event_id) IN (${STAGED})
     ${DELETE_SETTINGS}`,
    params,
  );
}
