import type pg from 'pg';
import type { ClickhouseDatabase } from '#storage/clickhouse/client.ts';

/** Of the tables of one store: column names, and every row as text, sorted. */
export type StoredRows = ReadonlyMap<string, { columns: readonly string[]; rows: readonly string[] }>;

type Column = { name: string; columns: readonly string[] };

/** Rows of one table; a build left some hundreds at most. */
const ROWS_MAX = 100_000;

/** Everything but the list of migrations; `columns` are those that `before` has. */
export async function readRelationalRows(pool: pg.Pool, before?: StoredRows): Promise<StoredRows> {
  const tables = before
    ? [...before].map(([name, { columns }]) => ({ name, columns }))
    : (
        await pool.query<Column>(
          `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
           FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
           WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
             AND c.relname <> 'schema_migrations'
           GROUP BY c.relname ORDER BY c.relname`,
        )
      ).rows;
  const read = new Map<string, { columns: readonly string[]; rows: readonly string[] }>();
  for (const { name, columns } of tables) {
    const list = columns.map((column) => `"${column}"`).join(', ');
    const { rows } = await pool.query<{ row: string }>(
      `SELECT row_to_json(r)::text AS row FROM (SELECT ${list} FROM "${name}") r ORDER BY 1`,
    );
    read.set(name, { columns, rows: rows.map(({ row }) => row) });
  }
  return read;
}

/** As `readRelationalRows`. Of rows with the same key one counts. */
export async function readAnalyticRows(
  database: Pick<ClickhouseDatabase, 'name' | 'query'>,
  before?: StoredRows,
): Promise<StoredRows> {
  const tables = before
    ? [...before].map(([name, { columns }]) => ({ name, columns }))
    : await database.query<Column>(
        `SELECT c.table AS name, arraySort(groupArray(c.name)) AS columns FROM system.columns AS c
         WHERE c.database = {database:String} AND NOT startsWith(c.table, 'schema_') AND default_kind NOT IN ('EPHEMERAL', 'ALIAS')
         GROUP BY c.table ORDER BY c.table`,
        { database: database.name },
      );
  const read = new Map<string, { columns: readonly string[]; rows: readonly string[] }>();
  for (const { name, columns } of tables) {
    const list = columns.map((column) => `\`${column}\``).join(', ');
    const rows = await database.query<{ row: string }>(
      `SELECT formatRow('JSONCompactEachRow', ${list}) AS row FROM ${name} FINAL ORDER BY row LIMIT ${ROWS_MAX}`,
      {},
    );
    read.set(name, { columns, rows: rows.map(({ row }) => row) });
  }
  return read;
}
