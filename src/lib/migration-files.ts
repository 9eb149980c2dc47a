import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type AppliedMigration = {
  version: number;
  name: string;
  /** SHA-256 of the file, in hex. */
  checksum: string;
};

export type MigrationFile = AppliedMigration & { sql: string };

/** The files `NNNN_name.sql` of a folder by number. Throws when two have the same number. */
export function readMigrationFiles(folder: string): MigrationFile[] {
  const files: MigrationFile[] = [];
  for (const name of readdirSync(folder).sort()) {
    const digits = FILE_NAME.exec(name)?.[1];
    if (!digits) continue;
    const version = Number(digits);
    if (files.at(-1)?.version === version) {
      throw new Error(`Two migrations have the number ${digits}: rename ${name}`);
    }
    const sql = readFileSync(join(folder, name), 'utf8');
    files.push({ version, name, sql, checksum: createHash('sha256').update(sql).digest('hex') });
  }
  return files;
}

/** Files not yet applied. Throws when an applied file has changed or is missing; `store` is its name for people. */
export function findPendingMigrations(
  store: string,
  files: readonly MigrationFile[],
  applied: readonly AppliedMigration[],
): MigrationFile[] {
  const known = new Map(files.map((file) => [file.version, file]));
  for (const row of applied) {
    const file = known.get(row.version);
    if (!file) {
      throw new Error(
        `The ${store} database is newer than this program: it has migration ${row.name}. Start the version of Errata that created it, or a newer one`,
      );
    }
    if (file.checksum !== row.checksum) {
      throw new Error(
        `The migration ${file.name} was changed after it was applied to this ${store} database. Restore the file, and put the change into a new migration`,
      );
    }
  }
  const done = new Set(applied.map((row) => row.version));
  return files.filter((file) => !done.has(file.version));
}

/**
 * Of the files those that were applied elsewhere; all of them when `applied` is null. Throws when one is not known here or
 * was changed.
 */
export function filesUpTo(
  store: string,
  files: readonly MigrationFile[],
  applied: readonly AppliedMigration[] | null,
): readonly MigrationFile[] {
  if (!applied) return files;
  findPendingMigrations(store, files, applied);
  const versions = new Set(applied.map(({ version }) => version));
  return files.filter(({ version }) => versions.has(version));
}

/** Names of the tables that the files make, sorted. */
export function tablesOf(files: readonly MigrationFile[]): readonly string[] {
  const names = files.flatMap(({ sql }) => [...sql.matchAll(CREATE_TABLE)].map(([, name = '']) => name));
  return [...new Set(names)].sort();
}
const CREATE_TABLE = /^\s*CREATE TABLE (?:IF NOT EXISTS )?"?([a-z_][a-z0-9_]*)"?/gm;

/** An empty database becomes what it must be without a word; a change to one with data is told. */
export const levelOfMigration = (applied: readonly AppliedMigration[]): 'debug' | 'info' =>
  applied.length === 0 ? 'debug' : 'info';

const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;
