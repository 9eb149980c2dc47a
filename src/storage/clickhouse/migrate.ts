import { join } from 'node:path';
import type { Log } from '#lib/log.ts';
import {
  type AppliedMigration,
  findPendingMigrations,
  levelOfMigration,
  type MigrationFile,
  readMigrationFiles,
} from '#lib/migration-files.ts';
import type { ClickhouseDatabase } from './client.ts';
import { createMigrationSteps, findMigrationProgress, noteMigrationProgress } from './migration-steps.ts';

const FOLDER = join(import.meta.dirname, 'migrations');
const STATEMENT_END = /;[ \t]*(?:\r?\n|$)/;
const MIGRATIONS_MAX = 10_000;
/** Statements of less time together are repeated sooner than they are noted. */
const NOTE_AFTER_MS = 5_000;

/**
 * Makes the database when it is missing and brings it up to this program: the numbered files of `migrations/`, in
 * order, statement by statement. Every statement can be repeated, so that programs that start together do no harm; an
 * interrupted migration goes on after the last statement that was noted. Throws when an applied file was changed since, or when the database knows
 * migrations that this program does not.
 */
export async function migrateClickhouse(
  database: ClickhouseDatabase,
  log: Log,
  folder = FOLDER,
  noteAfterMs = NOTE_AFTER_MS,
): Promise<void> {
  await database.commandOutside(`CREATE DATABASE IF NOT EXISTS ${database.name} ENGINE = Atomic`);
  await database.command(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
       version UInt32,
       name String,
       checksum String,
       applied_at DateTime64(3, 'UTC') DEFAULT now64(3)
     )
     ENGINE = ReplacingMergeTree
     ORDER BY version
     SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 100`,
  );
  await createMigrationSteps(database);
  const applied = await database.query<AppliedMigration>(
    `SELECT DISTINCT version, name, checksum FROM schema_migrations ORDER BY version LIMIT ${MIGRATIONS_MAX}`,
    {},
  );
  for (const file of findPendingMigrations('ClickHouse', readMigrationFiles(folder), applied)) {
    const { version, name, checksum } = file;
    log[levelOfMigration(applied)]({ migration: name }, 'Migrating ClickHouse');
    await runStatements(database, file, noteAfterMs);
    await database.insert('schema_migrations', [{ version, name, checksum }], `${version}-${checksum}`);
  }
}

async function runStatements(
  database: ClickhouseDatabase,
  { checksum, sql }: MigrationFile,
  noteAfterMs: number,
): Promise<void> {
  const { done, stored } = await findMigrationProgress(database, checksum);
  let notedAt = performance.now();
  for (const [index, statement] of splitStatements(sql).entries()) {
    if (index < done) continue;
    // A statement that reads what is stored may take hours.
    await database.write(statement, {});
    if (performance.now() - notedAt < noteAfterMs) continue;
    await noteMigrationProgress(database, checksum, { done: index + 1, stored });
    notedAt = performance.now();
  }
}

/** Statements end with a semicolon at the end of a line; lines that begin with two dashes are comments. */
const splitStatements = (sql: string): string[] =>
  sql
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('--'))
    .join('\n')
    .split(STATEMENT_END)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
