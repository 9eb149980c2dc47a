import { invalid } from '#lib/errors.ts';
import type { ForeignDatabase } from '#storage/ports/foreign-database.ts';
import { openForeignPostgres } from './foreign-postgres.ts';
import { openForeignSqlite } from './foreign-sqlite.ts';

/**
 * Opens `postgres://…`, or a file of SQLite by its path, for reading only. Throws Invalid for anything else, and ErrataError
 * 'unavailable' when it cannot be opened.
 */
export async function openForeignDatabase(address: string): Promise<ForeignDatabase> {
  if (/^postgres(ql)?:\/\//.test(address)) return openForeignPostgres(address);
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(address)?.[1];
  if (scheme !== undefined) {
    throw invalid(
      `${scheme}:// is not supported: name a database with postgres://… or the path of an SQLite file`,
      'database',
    );
  }
  return openForeignSqlite(address);
}
