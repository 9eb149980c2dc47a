import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ErrataError } from './errors.ts';
import { compareVersions } from './semantic-version.ts';
import { VERSION, VERSION_BEFORE } from './version.ts';

export type AppliedMigration = {
  version: number;
  name: string;
  /** SHA-256 of the file, in hex. */
  checksum: string;
};

/** As its database notes it. */
export type NotedMigration = AppliedMigration & {
  /** The version of the program that applied it; null when that was before versions were noted. */
  appliedBy: string | null;
  /** The oldest version that runs with it; null: only those that know it. */
  runsWith: string | null;
  /** That it made. */
  tables: readonly string[];
};

/** Which program runs the migrations. */
export type MigratingCode = { version: string; versionBefore: string };
export const THIS_CODE: MigratingCode = { version: VERSION, versionBefore: VERSION_BEFORE };

/** The database has what this program neither knows nor runs with. */
export class NewerDatabaseError extends ErrataError {
  /** The version that is needed; null when it was not noted. */
  readonly neededVersion: string | null;

  constructor(store: string, { name, appliedBy }: Pick<NotedMigration, 'name' | 'appliedBy'>) {
    const needed = appliedBy === null ? 'the version of Errata that created it' : `Errata ${appliedBy}`;
    super(
      'conflict',
      `The ${store} database is newer than this program: it has migration ${name}. Start ${needed}, or a newer one`,
    );
    this.neededVersion = appliedBy;
  }
}

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

/**
 * Files not yet applied; what a newer program applied may be there as well if this one runs with it. Throws
 * NewerDatabaseError when it does not, and when an applied file was changed; `store` is its name for people.
 */
export function findPendingMigrations(
  store: string,
  files: readonly MigrationFile[],
  applied: readonly (AppliedMigration & Partial<NotedMigration>)[],
  version = VERSION,
): MigrationFile[] {
  const known = new Map(files.map((file) => [file.version, file]));
  for (const row of applied) {
    const file = known.get(row.version);
    if (!file) {
      if (row.runsWith && compareVersions(version, row.runsWith) >= 0) continue;
      throw new NewerDatabaseError(store, { name: row.name, appliedBy: row.appliedBy ?? null });
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

/** A row of `schema_migrations` of any version: columns that it has not yet are null. */
export function readNotedMigration(row: Readonly<Record<string, unknown>>): NotedMigration {
  return {
    version: Number(row.version),
    name: String(row.name),
    checksum: String(row.checksum),
    appliedBy: row.applied_by ? String(row.applied_by) : null,
    runsWith: row.runs_with ? String(row.runs_with) : null,
    tables: Array.isArray(row.tables) ? row.tables.map(String) : [],
  };
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
