import type { RegroupEvents } from '#storage/ports/regroup-events.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { listMoveDays, moveDay, noteMoves } from './move-events.ts';
import { readDay } from './read-events.ts';
import { findSamples } from './sample-events.ts';

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
