import type { ReprocessEvents } from '#storage/ports/reprocess-events.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { EVENT_COLUMNS } from '../event-row.ts';
import { DELETE_SETTINGS, INSERT_SETTINGS, partitionOf } from '../regroup/move-events.ts';
import { readBlocks } from '../regroup/read-events.ts';
import { indexStoredValues, noteRemoved } from '../search/values/stored-values.ts';
import {
  DIGESTED_COLUMNS,
  filterEvents,
  findSeen,
  forgetStagedDays,
  forgetUnsaved,
  listStagedPartitions,
  stageEvents,
  toDigested,
} from './stage-events.ts';

/** Days listed in one query. */
const DAYS_MAX = 10_000;

export function createReprocessEvents(database: ClickhouseDatabase): ReprocessEvents {
  return {
    async listDays(organizationId, projectId, filter) {
      const where = filterEvents(filter);
      return await database.query<{ day: string; events: number }>(
        `SELECT toString(toDate(received_at)) AS day, count() AS events FROM events
         WHERE organization_id = {organizationId:UInt64} AND project_id = {projectId:UInt64} AND ${where.sql}
         GROUP BY day ORDER BY day DESC LIMIT ${DAYS_MAX}`,
        { ...where.params, organizationId, projectId },
      );
    },

    async countAtMost(organizationId, projectId, filter) {
      const where = filterEvents({ ...filter, withProblemOnly: false });
      const [row] = await database.query<{ events: number }>(
        `SELECT count() AS events FROM events
         WHERE organization_id = {organizationId:UInt64} AND project_id = {projectId:UInt64} AND ${where.sql}`,
        { ...where.params, organizationId, projectId },
      );
      return row?.events ?? 0;
    },

    readDay: (organizationId, projectId, day, filter, after) =>
      readBlocks(
        database,
        DIGESTED_COLUMNS,
        { organizationId, projectId, day, sinceMs: null },
        filterEvents(filter),
        after,
        toDigested,
      ),

    stage: (runId, events) => stageEvents(database, runId, events),

    async listStagedDays(runId) {
      const staged = await listStagedPartitions(database, runId);
      return staged.map(({ day }) => day);
    },

    replaceDay: (...input) => replaceDay(database, ...input),

    async listStagedRuns() {
      const staged = await listStagedPartitions(database, null);
      return [...new Set(staged.map(({ runId }) => runId))];
    },

    forgetUnsaved: (...input) => forgetUnsaved(database, ...input),
    forgetDay: (runId, day) => forgetStagedDays(database, [{ runId, day }]),

    async forget(runId) {
      await forgetStagedDays(database, await listStagedPartitions(database, runId));
    },

    findSeen: (...input) => findSeen(database, ...input),
  };
}

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
