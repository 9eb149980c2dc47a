import {
  findPendingMigrations,
  type NotedMigration,
  readMigrationFiles,
  THIS_CODE,
} from '#lib/migration-files.ts';
import type { PendingMigration, SchemaState } from '#storage/ports/schema-state.ts';
import type { ClickhouseDatabase } from './client.ts';
import { MIGRATIONS_FOLDER, readNotedMigrations } from './migrate.ts';
import { factsOf } from './migration-facts.ts';

/** Tables read from the catalog; there are some dozens. */
const TABLES_MAX = 1_000;

type TableSize = { name: string; rows: number; bytes: number };

/**
 * What is applied, and what a start of this program would apply. Changes nothing; the database may be missing. Throws
 * NewerDatabaseError. Source: schema_migrations, system.parts.
 */
export async function readClickhouseSchema(
  database: ClickhouseDatabase,
  { folder = MIGRATIONS_FOLDER, version = THIS_CODE.version } = {},
): Promise<SchemaState> {
  const files = readMigrationFiles(folder);
  const applied = await readOfAllShards(database);
  const pending = findPendingMigrations('ClickHouse', files, applied, version);
  const sizes = await orNothing(() => measureTables(database));
  const known = new Set(files.map((file) => file.version));
  return {
    store: 'ClickHouse',
    applied,
    newer: applied.filter((row) => !known.has(row.version)),
    pending: pending.map(({ name }) => describe(name, sizes)),
    bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** What one shard lacks is pending; one that has nothing yet was added, and gets all of it at the start. */
async function readOfAllShards(database: ClickhouseDatabase): Promise<readonly NotedMigration[]> {
  const shards = await database.shards();
  const noted = await Promise.all(shards.map((shard) => orNothing(() => readNotedMigrations(shard))));
  const [first = [], ...others] = noted.filter((migrations) => migrations.length > 0);
  return first.filter(({ version }) =>
    others.every((other) => other.some((migration) => migration.version === version)),
  );
}

function describe(name: string, sizes: readonly TableSize[]): PendingMigration {
  const facts = factsOf(name);
  const own = sizes.filter((size) => facts.cost?.tables.includes(size.name));
  return {
    name,
    facts,
    rows: own.reduce((sum, { rows }) => sum + rows, 0),
    bytes: own.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

const measureTables = (database: ClickhouseDatabase): Promise<readonly TableSize[]> =>
  database.query<TableSize>(
    `SELECT table AS name, sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM ${database.system('parts')}
     WHERE database = {database:String} AND active GROUP BY table LIMIT ${TABLES_MAX}`,
    { database: database.storedIn },
  );

/** The first start makes the database. */
async function orNothing<Row>(read: () => Promise<readonly Row[]>): Promise<readonly Row[]> {
  try {
    return await read();
  } catch (error) {
    if (isUnknownDatabase(error)) return [];
    throw error;
  }
}

/** Of a cluster, what the server said is the cause. */
const isUnknownDatabase = (error: unknown): boolean =>
  error instanceof Error &&
  (('type' in error && error.type === 'UNKNOWN_DATABASE') || isUnknownDatabase(error.cause));
