/** A value as its driver reads it: numbers, text, dates and objects differ by kind of database. */
export type ForeignRow = Readonly<Record<string, unknown>>;

/**
 * The database of another program, opened for reading only. Sources: PostgreSQL, a file of SQLite. Each of its methods throws
 * ErrataError 'unavailable' when the database does not answer.
 */
export interface ForeignDatabase {
  readonly kind: 'postgres' | 'sqlite';
  /** For people, without a password. */
  readonly place: string;
  /** Names of the columns; empty when there is no such table. */
  columns(table: string): Promise<ReadonlySet<string>>;
  /** All rows of one statement, whose parameters are `$1`, `$2` and so on: the statement bounds them. */
  rows(statement: string, parameters: readonly (string | number)[]): Promise<readonly ForeignRow[]>;
  close(): Promise<void>;
}
