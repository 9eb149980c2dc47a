import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { AppliedMigration } from '#lib/migration-files.ts';
import type { BackupTable, SequenceValue } from '#storage/ports/backup-sources.ts';
import { listOwnTables } from '../migrate.ts';

/** Our own tables; the job queue keeps its own in another schema, and makes them when it starts. */
const SCHEMA = 'public';
const MIGRATIONS_TABLE = 'schema_migrations';

/** Tables of the schema with the columns that can be written, by name; there may be others in the database. */
export async function listTables(client: Client): Promise<readonly BackupTable[]> {
  const { rows } = await client.query<BackupTable>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = $1::regnamespace AND c.relkind = 'r' AND c.relname = ANY($2)
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.relname ORDER BY c.relname`,
    [SCHEMA, listOwnTables()],
  );
  return rows;
}

export async function listMigrations(client: Client): Promise<readonly AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    `SELECT version, name, checksum FROM ${MIGRATIONS_TABLE} ORDER BY version`,
  );
  return rows;
}

/** Where the sequences of columns go on. */
export async function listSequences(client: Client): Promise<readonly SequenceValue[]> {
  const { rows: owned } = await client.query<{ sequence: string; table: string; column: string }>(
    `SELECT d.objid::regclass::text AS sequence, c.relname AS "table", a.attname AS "column"
     FROM pg_depend d JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S'
     JOIN pg_class c ON c.oid = d.refobjid
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.refobjsubid
     WHERE d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i') AND d.refobjsubid > 0
       AND c.relnamespace = $1::regnamespace AND c.relname = ANY($2) ORDER BY 2, 3`,
    [SCHEMA, listOwnTables()],
  );
  const values: SequenceValue[] = [];
  for (const { sequence, table, column } of owned) {
    const { rows } = await client.query<{ value: number; isCalled: boolean }>(
      `SELECT last_value AS value, is_called AS "isCalled" FROM ${sequence}`,
    );
    values.push(...rows.map((row) => ({ table, column, ...row })));
  }
  return values;
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
