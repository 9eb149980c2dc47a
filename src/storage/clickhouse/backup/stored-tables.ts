import { type AppliedMigration, readNotedMigration } from '#lib/migration-files.ts';
import type { BackupTable, PartitionFacts, PartitionName } from '#storage/ports/backup-sources.ts';
import { listOwnTables } from '../migrate.ts';
import type { BulkClient } from './bulk-client.ts';

/** Rows of a partition of which all columns are compared. */
const SAMPLE_ROWS = 50;

export async function listTableNames(client: BulkClient): Promise<readonly string[]> {
  const rows = await client.query<{ name: string }>('SHOW TABLES');
  return rows.map(({ name }) => name);
}

/**
 * Tables of the schema with the columns that can be written, by name, those of a newer version that this one runs with
 * included; there may be others in the database.
 */
export async function listTables(client: BulkClient): Promise<readonly BackupTable[]> {
  const there = new Set(await listTableNames(client));
  const noted = (
    await client.query<Record<string, unknown>>('SELECT * FROM schema_migrations FINAL')
  ).flatMap((row) => readNotedMigration(row).tables);
  const names = [...new Set([...listOwnTables(), ...noted])].filter((name) => there.has(name)).sort();
  return await Promise.all(
    names.map(async (name) => {
      const columns = await client.query<{ name: string; default_type: string }>(`DESCRIBE TABLE ${name}`);
      return {
        name,
        columns: columns
          .filter(({ default_type: kind }) => !['MATERIALIZED', 'ALIAS', 'EPHEMERAL'].includes(kind))
          .map((column) => column.name),
      };
    }),
  );
}

export const listMigrations = (client: BulkClient): Promise<AppliedMigration[]> =>
  client.query<AppliedMigration>(
    'SELECT DISTINCT version, name, checksum FROM schema_migrations ORDER BY version',
  );

export const columnsOf = ({ columns }: BackupTable): string =>
  columns.map((column) => `\`${column}\``).join(', ');

/**
 * `within` is the table that has the rows. `keys` names the rows to compare, which are chosen when it is null: each of a
 * key that no other row has, since of those with the same key any may be left.
 */
export async function measurePartition(
  client: BulkClient,
  { table, partition }: PartitionName,
  { within = table, keys = null }: { within?: string; keys?: readonly string[] | null } = {},
): Promise<PartitionFacts> {
  const key = `sipHash64(${await findSortingKey(client, table)})`;
  const [counted] = await client.query<{ rows: number; keysHash: string }>(
    `SELECT count() AS rows, hex(groupBitXor(${key})) AS keysHash
     FROM ${within} FINAL WHERE _partition_id = {partition:String}`,
    { partition },
  );
  if (!counted) throw new Error('ClickHouse answered no row');
  const chosen = keys ?? (await chooseKeys(client, key, { within, partition, rows: counted.rows }));
  const sampled = await client.query<{ key: string; hash: string }>(
    `SELECT toString(${key}) AS key, hex(sipHash64(formatRow('JSONCompactEachRow', *))) AS hash
     FROM ${within} PREWHERE ${key} IN arrayMap(key -> toUInt64(key), {keys:Array(String)})
     WHERE _partition_id = {partition:String} ORDER BY key`,
    { partition, keys: chosen },
  );
  return { ...counted, sample: Object.fromEntries(sampled.map((row) => [row.key, row.hash])) };
}

async function chooseKeys(
  client: BulkClient,
  key: string,
  { within, partition, rows }: { within: string; partition: string; rows: number },
): Promise<readonly string[]> {
  const every = Math.max(1, Math.floor(rows / SAMPLE_ROWS));
  const chosen = await client.query<{ key: string }>(
    `SELECT toString(${key}) AS key FROM ${within}
     WHERE _partition_id = {partition:String} AND ${key} % {every:UInt64} = 0
     GROUP BY key HAVING count() = 1 ORDER BY key LIMIT ${SAMPLE_ROWS}`,
    { partition, every },
  );
  return chosen.map((row) => row.key);
}

async function findSortingKey(client: BulkClient, table: string): Promise<string> {
  const [row] = await client.query<{ statement: string }>(`SHOW CREATE TABLE ${client.storedIn}.${table}`);
  const key = /\bORDER BY (\([^\n]*\)|[^\n]+?)(?:\nSETTINGS|\n|$)/.exec(row?.statement ?? '')?.[1];
  if (!key) throw new Error(`The sorting key of the table ${table} was not found`);
  return key.replace(/^\((.*)\)$/, '$1');
}
