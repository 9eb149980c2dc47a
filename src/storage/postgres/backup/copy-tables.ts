import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { AppliedMigration } from '#lib/migration-files.ts';
import type { BackupTable, SequenceValue } from '#storage/ports/backup-sources.ts';
import { listOwnTables, readNotedMigrations } from '../migrate.ts';

/** Our own tables; the job queue keeps its own in another schema, and makes them when it starts. */
const SCHEMA = 'public';
const MIGRATIONS_TABLE = 'schema_migrations';

/**
 * Tables of the schema with the columns that can be written, by name, those of a newer version that this one runs with
 * included; there may be others in the database.
 */
export async function listTables(client: Client): Promise<readonly BackupTable[]> {
  const noted = (await readNotedMigrations(client)).flatMap(({ tables }) => tables);
  const { rows } = await client.query<BackupTable>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = $1::regnamespace AND c.relkind = 'r' AND c.relname = ANY($2)
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.relname ORDER BY c.relname`,
    [SCHEMA, [...listOwnTables(), ...noted]],
  );
  return rows;
}

export async function listMigrations(client: Client): Promise<readonly AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    `SELECT version, name, checksum FROM ${MIGRATIONS_TABLE} ORDER BY version`,
  );
  return rows;
}

/** Where sequences go on: those of columns, and those that several tables share. */
export async function listSequences(client: Client): Promise<readonly SequenceValue[]> {
  const { rows: names } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relkind = 'S' AND relnamespace = $1::regnamespace ORDER BY relname`,
    [SCHEMA],
  );
  const values: SequenceValue[] = [];
  for (const { name } of names) {
    const { rows } = await client.query<Omit<SequenceValue, 'name'>>(
      `SELECT last_value AS value, is_called AS "isCalled" FROM ${SCHEMA}.${client.escapeIdentifier(name)}`,
    );
    values.push(...rows.map((row) => ({ name, ...row })));
  }
  return values;
}

/** Of another program in the same database there may be one that is not here. */
export async function setSequence(client: Client, { name, value, isCalled }: SequenceValue): Promise<void> {
  await client.query(
    `SELECT setval(oid::regclass, $3, $4) FROM pg_class
     WHERE relkind = 'S' AND relnamespace = $1::regnamespace AND relname = $2`,
    [SCHEMA, name, value, isCalled],
  );
}

export async function countRows(client: Client, table: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*) AS count FROM ${client.escapeIdentifier(table)}`,
  );
  return rows[0]?.count ?? 0;
}

export const readTable = (client: Client, table: BackupTable): AsyncIterable<Buffer> =>
  client.query(copyTo(`COPY ${describe(client, table)} TO STDOUT`));

export async function writeTable(
  client: Client,
  table: BackupTable,
  rows: AsyncIterable<Buffer>,
): Promise<void> {
  await pipeline(rows, client.query(copyFrom(`COPY ${describe(client, table)} FROM STDIN`)));
}

const describe = (client: Client, { name, columns }: BackupTable): string =>
  `${SCHEMA}.${client.escapeIdentifier(name)} (${columns.map((column) => client.escapeIdentifier(column)).join(', ')})`;
