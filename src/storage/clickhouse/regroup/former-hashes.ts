import type { EventArrival } from '#storage/ports/events.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { listParam } from '../list-param.ts';
import { IN_ARRIVAL } from './read-events.ts';

const EVENTS_PER_QUERY_MAX = 5_000;

/** Asked after a crash only, of events of the last moments: their days are read, by narrow columns. */
export async function findFormerHashes(
  database: ClickhouseDatabase,
  arrivals: readonly EventArrival[],
): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>();
  for (let start = 0; start < arrivals.length; start += EVENTS_PER_QUERY_MAX) {
    const part = arrivals.slice(start, start + EVENTS_PER_QUERY_MAX);
    const times = part.map(({ receivedAt }) => Math.trunc(receivedAt));
    const ids = listParam(
      'ids',
      'String',
      part.map(({ eventId }) => eventId),
    );
    const projects = listParam('projects', 'UInt64', [...new Set(part.map(({ projectId }) => projectId))]);
    const params = {
      ...ids.params,
      ...projects.params,
      fromMs: Math.min(...times),
      toMs: Math.max(...times) + 1,
    };
    const rows = await database.query<{ project_id: number; event_id: string; hash: string }>(
      // What was moved meanwhile is counted where it was: the move counts it where it went.
      `SELECT project_id, id AS event_id, argMin(hash, rank) AS hash FROM (
         SELECT project_id, toString(events.event_id) AS id, toString(grouping_hash) AS hash, 18446744073709551615 AS rank
         FROM events
         WHERE project_id IN ${projects.sql} AND ${IN_ARRIVAL} AND events.event_id IN ${ids.sql}
         UNION ALL
         SELECT project_id, leftPad(lower(hex(regroup_moves.event_id)), 32, '0') AS id,
           leftPad(lower(hex(from_hash)), 32, '0') AS hash, change_id AS rank
         FROM regroup_moves
         WHERE project_id IN ${projects.sql}
           AND received_on >= toDate(fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC'))
           AND received_on <= toDate(fromUnixTimestamp64Milli({toMs:Int64}, 'UTC'))
           AND leftPad(lower(hex(regroup_moves.event_id)), 32, '0') IN ${ids.sql}
       )
       GROUP BY project_id, id HAVING max(rank) = 18446744073709551615`,
      params,
    );
    for (const row of rows) hashes.set(`${row.project_id}:${row.event_id}`, row.hash);
  }
  return hashes;
}
