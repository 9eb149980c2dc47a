import { clusterOf } from '#lib/clickhouse-address.ts';
import { conflict } from '#lib/errors.ts';
import type {
  AnalyticCut,
  AnalyticSource,
  BackupTable,
  StoredPartition,
} from '#storage/ports/backup-sources.ts';
import { type BulkClient, openBulkClient } from './bulk-client.ts';
import { HELD_PREFIX } from './held-tables.ts';
import { columnsOf, listMigrations, listTableNames, listTables, measurePartition } from './stored-tables.ts';

/** Partitions attached by one statement. */
const ATTACHED_MAX = 50;

/**
 * Holds parts by hard links: a table of the same shape beside each one is given its partitions, which takes milliseconds
 * and no room. What is added, changed, merged or dropped afterwards does not touch them. One cut at a time. Beginning throws
 * Conflict for a cluster.
 */
export function createAnalyticSource(url: string): AnalyticSource {
  return {
    async begin() {
      if (clusterOf(new URL(url)) !== null)
        throw conflict(
          'Errata does not back up a ClickHouse cluster, whose servers have no moment in common: back it up with BACKUP … ON CLUSTER, as docs/scale.md says',
        );
      const client = openBulkClient(url);
      let isOver = false;
      const end = async () => {
        if (isOver) return;
        isOver = true;
        await dropHeld(client).finally(client.close);
      };
      try {
        // Of a backup that was killed.
        await dropHeld(client);
        const [migrations, tables] = [await listMigrations(client), await listTables(client)];
        for (const { name } of tables) await createHeld(client, name);
        return { hold: (isKnown) => hold(client, { migrations, tables, end }, isKnown), end };
      } catch (error) {
        await end().catch(() => {});
        throw error;
      }
    },
  };
}

async function createHeld(client: BulkClient, table: string): Promise<void> {
  await client.command(`CREATE TABLE ${HELD_PREFIX}${table} AS ${table}`);
  // What is read once is not worth merging.
  await client.command(
    `ALTER TABLE ${HELD_PREFIX}${table} MODIFY SETTING max_bytes_to_merge_at_max_space_in_pool = 1, max_bytes_to_merge_at_min_space_in_pool = 1, min_age_to_force_merge_seconds = 0`,
  );
}

async function hold(
  client: BulkClient,
  { migrations, tables, end }: Pick<AnalyticCut, 'migrations' | 'tables' | 'end'>,
  isKnown: (partition: StoredPartition) => boolean,
): Promise<AnalyticCut> {
  const partitions = await listPartitions(client, tables);
  const wanted = Map.groupBy(
    partitions.filter((partition) => !isKnown(partition)),
    ({ table }) => table,
  );
  for (const [table, own] of wanted) {
    for (let start = 0; start < own.length; start += ATTACHED_MAX) {
      const attached = own
        .slice(start, start + ATTACHED_MAX)
        .map(({ partition }) => `ATTACH PARTITION ID '${partition}' FROM ${table}`);
      await client.command(`ALTER TABLE ${HELD_PREFIX}${table} ${attached.join(', ')}`);
    }
  }
  return {
    migrations,
    tables,
    partitions,
    async *read({ table, partition }) {
      const known = tables.find(({ name }) => name === table);
      if (!known) throw new Error(`There is no table ${table}`);
      yield* client.read(
        `SELECT ${columnsOf(known)} FROM ${HELD_PREFIX}${table} WHERE _partition_id = '${partition}'`,
      );
    },
    measure: (partition) =>
      measurePartition(client, partition, { within: `${HELD_PREFIX}${partition.table}` }),
    end,
  };
}

/** A fingerprint is of the names of the parts, which are never given twice, and of what is in them. */
async function listPartitions(
  client: BulkClient,
  tables: readonly BackupTable[],
): Promise<readonly StoredPartition[]> {
  return await client.query<StoredPartition>(
    `SELECT table, partition_id AS partition,
       lower(hex(sipHash128(arraySort(groupArray((name, hash_of_all_files)))))) AS fingerprint
     FROM system.parts
     WHERE database = currentDatabase() AND active AND rows > 0 AND table IN {tables:Array(String)}
     GROUP BY table, partition_id ORDER BY table, partition_id`,
    { tables: tables.map(({ name }) => name) },
  );
}

async function dropHeld(client: BulkClient): Promise<void> {
  for (const name of await listTableNames(client)) {
    if (name.startsWith(HELD_PREFIX)) await client.command(`DROP TABLE IF EXISTS ${name} SYNC`);
  }
}
