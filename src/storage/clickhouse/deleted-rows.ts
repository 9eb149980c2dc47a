import type { DeletedRows, HiddenRows } from '#storage/ports/person-data.ts';
import { HELD_PREFIX } from './backup/held-tables.ts';
import type { ClickhouseDatabase } from './client.ts';

/** Partitions listed in one query. */
const PARTITIONS_MAX = 100_000;
const TABLE = /^[a-z_]+$/;
const PARTITION = /^[A-Za-z0-9_-]+$/;

/**
 * Dropping it clears the files of replaced parts and of finished mutations at once. A table that nothing is written to would
 * keep them for many minutes: its turn in the background comes seldom (measured: over eight).
 */
const NO_PARTITION = 'none';

export function createDeletedRows(database: ClickhouseDatabase): DeletedRows {
  const listReplaced = (beforeMs: number) =>
    database.query<{ table: string; parts: number }>(
      `SELECT table, count() AS parts FROM ${database.system('parts')}
       WHERE database = {database:String} AND NOT active
         AND modification_time <= fromUnixTimestamp64Milli({beforeMs:Int64}, 'UTC')
       GROUP BY table`,
      { database: database.storedIn, beforeMs: Math.trunc(beforeMs) },
    );
  const listHeld = () =>
    database.query<{ table: string }>(
      `SELECT DISTINCT table FROM ${database.system('parts')}
       WHERE database = {database:String} AND startsWith(table, {held:String})`,
      { database: database.storedIn, held: HELD_PREFIX },
    );
  return {
    listHidden: () =>
      database.query<HiddenRows>(
        `SELECT table, partition_id AS partition, sum(bytes_on_disk) AS bytes FROM ${database.system('parts')}
         WHERE database = {database:String} AND active GROUP BY table, partition_id
         HAVING max(has_lightweight_delete) > 0 ORDER BY table, partition LIMIT ${PARTITIONS_MAX}`,
        { database: database.storedIn },
      ),

    async purge({ table, partition }) {
      if (!TABLE.test(table) || !PARTITION.test(partition))
        throw new Error(`"${table}" has no partition "${partition}"`);
      await database.write(
        `ALTER TABLE ${table} APPLY DELETED MASK IN PARTITION ID '${partition}' SETTINGS mutations_sync = 1`,
        {},
      );
    },

    async clearReplaced(beforeMs) {
      const tables = await listReplaced(beforeMs);
      for (const { table } of tables) {
        if (!TABLE.test(table)) throw new Error(`"${table}" is not a table`);
        await database.command(`ALTER TABLE ${table} DROP PARTITION ID '${NO_PARTITION}'`);
      }
      const left = tables.length === 0 ? tables : await listReplaced(beforeMs);
      return left.reduce((sum, { parts }) => sum + parts, 0);
    },

    hasHeld: async () => (await listHeld()).length > 0,

    async dropHeld() {
      for (const { table } of await listHeld()) {
        if (!TABLE.test(table)) throw new Error(`"${table}" is not a table`);
        await database.command(`DROP TABLE IF EXISTS ${table} SYNC`);
      }
    },
  };
}
