import type { DeletedRows, HiddenRows } from '#storage/ports/person-data.ts';
import type { ClickhouseDatabase } from './client.ts';

/** Partitions listed in one query. */
const PARTITIONS_MAX = 100_000;
const TABLE = /^[a-z_]+$/;
const PARTITION = /^[A-Za-z0-9_-]+$/;

export function createDeletedRows(database: ClickhouseDatabase): DeletedRows {
  return {
    listHidden: () =>
      database.query<HiddenRows>(
        `SELECT table, partition_id AS partition, sum(bytes_on_disk) AS bytes FROM system.parts
         WHERE database = {database:String} AND active GROUP BY table, partition_id
         HAVING max(has_lightweight_delete) > 0 ORDER BY table, partition LIMIT ${PARTITIONS_MAX}`,
        { database: database.name },
      ),

    async purge({ table, partition }) {
      if (!TABLE.test(table) || !PARTITION.test(partition))
        throw new Error(`"${table}" has no partition "${partition}"`);
      await database.write(
        `ALTER TABLE ${table} APPLY DELETED MASK IN PARTITION ID '${partition}' SETTINGS mutations_sync = 1`,
        {},
      );
    },

    async countReplacedParts(beforeMs) {
      const [row] = await database.query<{ parts: number }>(
        `SELECT count() AS parts FROM system.parts
         WHERE database = {database:String} AND NOT active
           AND modification_time <= fromUnixTimestamp64Milli({beforeMs:Int64}, 'UTC')`,
        { database: database.name, beforeMs: Math.trunc(beforeMs) },
      );
      return row?.parts ?? 0;
    },
  };
}
