import type { ReprocessEvents } from '#storage/ports/reprocess-events.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { readBlocks } from '../regroup/read-events.ts';
import { filterEvents } from './filter-events.ts';
import { findSeen } from './find-seen.ts';
import { replaceDay } from './replace-day.ts';
import { forgetStagedDays, forgetUnsaved, listStagedPartitions, stageEvents } from './stage-events.ts';
import { DIGESTED_COLUMNS, toDigested } from './stored-event.ts';

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
