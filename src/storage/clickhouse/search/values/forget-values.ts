import { DAY_MS } from '#lib/time.ts';
import type { ClickhouseDatabase } from '../../client.ts';
import { dayOf } from './day-masks.ts';
import { FORGOTTEN, REMOVED } from './indexed-fields.ts';

/** Events that arrive now are at most this old by their own time: https://develop.sentry.dev/sdk/data-model/event-payloads/ */
const EVENT_AGE_DAYS_MAX = 31;

/** Drops the months of the index that no stored event is of, and none that will come. */
export async function dropOldMonths(database: ClickhouseDatabase, nowMs: number): Promise<void> {
  const rows = await database.query<{ partition_id: string }>(
    `SELECT DISTINCT partition_id FROM system.parts
     WHERE database = {database:String} AND table = 'event_values' AND active
       AND toDate32(parseDateTimeBestEffort(partition_id)) + INTERVAL 1 MONTH < fromUnixTimestamp64Milli({beforeMs:Int64}, 'UTC')
       AND toDate(parseDateTimeBestEffort(partition_id)) + INTERVAL 1 MONTH <= (
         SELECT if(count() = 0, toDateTime64('2149-01-01 00:00:00', 3, 'UTC'), min(occurred_at)) FROM event_index)`,
    { database: database.name, beforeMs: nowMs - EVENT_AGE_DAYS_MAX * DAY_MS },
  );
  for (const { partition_id } of rows) {
    if (!/^\d{8}$/.test(partition_id)) throw new Error(`"${partition_id}" is no partition`);
    await database.command(`ALTER TABLE event_values DROP PARTITION ID '${partition_id}'`);
  }
}

/**
 * Statements that forget what the index has of hashes whose events are deleted, the first to be run before that and the
 * other after. Who writes the index remembers for a while what it wrote, and will not write it again for events that
 * come: on the days that these may be of, the index says of itself that it does not know. `hashes` is a list of SQL.
 */
export function forgetHashes(
  { organizationId, projectId, hashes }: { organizationId: number; projectId: number; hashes: string },
  sinceMs: number,
  nowMs: number,
): { before: string; after: string } {
  const first = dayOf(sinceMs) - EVENT_AGE_DAYS_MAX;
  const last = dayOf(nowMs) + 1;
  return {
    before: `INSERT INTO event_values (organization_id, project_id, field, value, grouping_hash, month, days)
      SELECT ${organizationId}, ${projectId}, '${FORGOTTEN}', '', reinterpretAsUInt128(reverse(unhex(hash))),
        toStartOfMonth(day), toUInt32(bitShiftLeft(toUInt32(1), toDayOfMonth(day) - 1))
      FROM (SELECT hash, toDate(arrayJoin(range(${first}, ${last + 1}))) AS day FROM (SELECT arrayJoin([${hashes}]) AS hash))`,
    after: `DELETE FROM event_values WHERE organization_id = ${organizationId} AND project_id = ${projectId}
      AND field NOT IN ('${FORGOTTEN}', '${REMOVED}')
      AND grouping_hash IN (SELECT reinterpretAsUInt128(reverse(unhex(arrayJoin([${hashes}])))))`,
  };
}
