import type { Client } from 'pg';
import { findPendingMigrations, readMigrationFiles, THIS_CODE } from '#lib/migration-files.ts';
import type { PendingMigration, SchemaState } from '#storage/ports/schema-state.ts';
import { connectAlone } from './database.ts';
import { MIGRATIONS_FOLDER, readNotedMigrations } from './migrate.ts';
import { factsOf } from './migration-facts.ts';

type TableSize = { name: string; rows: number; bytes: number; allBytes: number };

/**
 * What is applied, and what a start of this program would apply. Changes nothing. Throws NewerDatabaseError.
 * Source: schema_migrations, pg_class.
 */
export async function readPostgresSchema(
  database: { url: string },
  { folder = MIGRATIONS_FOLDER, version = THIS_CODE.version } = {},
): Promise<SchemaState> {
  const client = await connectAlone(database.url);
  try {
    const files = readMigrationFiles(folder);
    const applied = await readNotedMigrations(client);
    const pending = findPendingMigrations('PostgreSQL', files, applied, version);
    const sizes = await measureTables(client);
    const known = new Set(files.map((file) => file.version));
    return {
      store: 'PostgreSQL',
      applied,
      newer: applied.filter((row) => !known.has(row.version)),
      pending: pending.map(({ name }) => describe(name, sizes)),
      bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
    };
  } finally {
    await client.end();
  }
}

function describe(name: string, sizes: readonly TableSize[]): PendingMigration {
  const facts = factsOf(name);
  const own = sizes.filter((size) => facts.cost?.tables.includes(size.name));
  return {
    name,
    facts,
    rows: own.reduce((sum, { rows }) => sum + rows, 0),
    bytes: own.reduce((sum, { allBytes }) => sum + allBytes, 0),
  };
}

/** Rows as of the last ANALYZE; of a table that never had one they are not known and count as none. */
async function measureTables(client: Client): Promise<readonly TableSize[]> {
  const { rows } = await client.query<TableSize>(
    `SELECT relname AS name, greatest(reltuples, 0)::bigint AS rows, pg_table_size(oid) AS bytes,
       pg_total_relation_size(oid) AS "allBytes"
     FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  return rows;
}
