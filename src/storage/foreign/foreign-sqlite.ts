import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { invalid, messageOf, unavailable } from '#lib/errors.ts';
import { SECOND_MS } from '#lib/time.ts';
import type { ForeignDatabase } from '#storage/ports/foreign-database.ts';

/** How long a statement waits for whoever writes into the file. */
const BUSY_TIMEOUT_MS = 30 * SECOND_MS;

/** Throws Invalid when there is no such file, or it is none of SQLite. */
export function openForeignSqlite(path: string): ForeignDatabase {
  if (!existsSync(path))
    throw invalid(`There is no file ${path}: name the database of the other program`, 'database');
  const database = openFile(path);
  const asking = async <Result>(ask: () => Result): Promise<Result> => {
    try {
      return ask();
    } catch (error) {
      throw unavailable(`The database ${path} failed: ${messageOf(error)}`, error);
    }
  };
  return {
    kind: 'sqlite',
    place: path,
    columns: (table) =>
      asking(() => {
        const rows = database.prepare('SELECT name FROM pragma_table_info(?)').all(table);
        return new Set(rows.map((row) => String(row.name)));
      }),
    rows: (statement, parameters) =>
      asking(() => database.prepare(statement.replaceAll(/\$(\d+)/g, '?$1')).all(...parameters)),
    close: () => asking(() => database.close()),
  };
}

function openFile(path: string): DatabaseSync {
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    // What is no database is noticed by the first statement only.
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return database;
  } catch (error) {
    throw invalid(`${path} cannot be read as a database of SQLite: ${messageOf(error)}`, 'database');
  }
}
