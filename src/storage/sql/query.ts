import { type Kysely, sql } from 'kysely';
import type { Database } from './schema.ts';

/**
 * A statement whose rows are read as `Row`: columns in camel case, timestamps as milliseconds since the epoch. What a
 * column of JSON holds stays as it is.
 */
export function query<Row>(strings: TemplateStringsArray, ...values: unknown[]) {
  const statement = sql<Record<string, unknown>>(strings, ...values);
  const execute = async (db: Kysely<Database>): Promise<Row[]> =>
    (await statement.execute(db)).rows.map((row) => camelRow(row) as Row);
  return {
    execute,
    /** The first row; null when there is none. */
    first: async (db: Kysely<Database>): Promise<Row | null> => (await execute(db))[0] ?? null,
  };
}

/** How many rows a statement inserts, updates or deletes. */
export function affectedRows(strings: TemplateStringsArray, ...values: unknown[]) {
  const statement = sql(strings, ...values);
  return {
    execute: async (db: Kysely<Database>): Promise<number> =>
      Number((await statement.execute(db)).numAffectedRows ?? 0),
  };
}

/** The user that a join calls by the name, as JSON: `{ id, name }`, null when there is none. */
export const userNamed = (join: string) => sql<{ id: string; name: string } | null>`
  CASE WHEN ${sql.ref(join)}.id IS NOT NULL
    THEN json_build_object('id', ${sql.ref(join)}.id, 'name', ${sql.ref(join)}.name) END`;

/** A row of a query builder, likewise. */
export const camelRow = <Row extends Record<string, unknown>>(row: Row): CamelRow<Row> =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      camelCase(column),
      value instanceof Date ? value.getTime() : value,
    ]),
  ) as CamelRow<Row>;

export type CamelRow<Row> = {
  [Column in keyof Row as CamelCase<Column>]: Row[Column] extends Date | null
    ? Exclude<Row[Column], Date> | number
    : Row[Column];
};

type CamelCase<Column> = Column extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Column;

const camelCase = (column: string): string =>
  column.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
