import type { ReprocessEvents } from '#storage/ports/reprocess-events.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { listParam } from '../list-param.ts';

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
    `SELECT leftPad(lower(hex(grouping_hash)), 32, '0') AS hash, uniqExact(event_id) AS events,
       toUnixTimestamp64Milli(min(occurred_at)) AS firstSeen, toUnixTimestamp64Milli(max(occurred_at)) AS lastSeen
     FROM event_index
     WHERE organization_id = {organizationId:UInt64} AND project_id = {projectId:UInt64}
       AND grouping_hash IN ${list.sql}
     GROUP BY grouping_hash`,
    { ...list.params, organizationId, projectId },
  );
}
