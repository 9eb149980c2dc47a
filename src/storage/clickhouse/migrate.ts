import { join } from 'node:path';
import type { Log } from '#lib/log.ts';
import {
  type AppliedMigration,
  filesUpTo,
  findPendingMigrations,
  levelOfMigration,
  type MigrationFile,
  readMigrationFiles,
  tablesOf,
} from '#lib/migration-files.ts';
import type { ClickhouseDatabase, ClickhouseShard } from './client.ts';
import { TABLES } from './telemetry/tables.ts';

const FOLDER = join(import.meta.dirname, 'migrations');
const STATEMENT_END = /;[ \t]*(?:\r?\n|$)/;
/** Migrations read from the table. */
const MIGRATIONS_MAX = 10_000;
/** Statements of less time together are repeated sooner than they are noted. */
const NOTE_AFTER_MS = 5_000;

/**
 * Makes the database when it is missing and brings it up to this program, on every shard: the numbered files of `migrations/`, in
 * order, statement by statement. Every statement can be repeated, so that programs that start together do no harm; an
 * interrupted migration goes on after the last statement that was noted. Throws when an applied file was changed since, or when the database knows
 * migrations that this program does not.
 */
export async function migrateClickhouse(
  database: ClickhouseDatabase,
  log: Log,
  folder = FOLDER,
  noteAfterMs = NOTE_AFTER_MS,
  /** For what a backup is restored into: no further than it was then; null for all of them. */
  upTo: readonly AppliedMigration[] | null = null,
): Promise<void> {
  const files = filesUpTo('ClickHouse', readMigrationFiles(folder), upTo);
  for (const name of new Set([database.storedIn, database.name]))
    await database.commandOutside(`CREATE DATABASE IF NOT EXISTS ${name} ENGINE = Atomic`);
  await Promise.all((await database.shards()).map((shard) => migrateShard(shard, log, files, noteAfterMs)));
  await database.joinTables(tablesOf(files));
}

async function migrateShard(
  database: ClickhouseShard,
  log: Log,
  files: readonly MigrationFile[],
  noteAfterMs: number,
): Promise<void> {
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
  for (const file of findPendingMigrations('ClickHouse', files, applied)) {
    const { version, name, checksum } = file;
    log[levelOfMigration(applied)]({ migration: name }, 'Migrating ClickHouse');
    await runStatements(database, file, { noteAfterMs, isEmpty: applied.length === 0 });
    await database.insert('schema_migrations', [{ version, name, checksum }], `${version}-${checksum}`);
  }
}

async function runStatements(
  database: ClickhouseShard,
  { checksum, sql }: MigrationFile,
  { noteAfterMs, isEmpty }: { noteAfterMs: number; isEmpty: boolean },
): Promise<void> {
  const { done, stored } = await findMigrationProgress(database, checksum);
  let notedAt = performance.now();
  for (const [index, statement] of splitStatements(sql).entries()) {
    // What fills one table from another has nothing to read in a database that is being made.
    if (index < done || (isEmpty && /^INSERT\b/.test(statement))) continue;
    // A statement that reads what is stored may take hours.
    await database.write(statement, {});
    if (performance.now() - notedAt < noteAfterMs) continue;
    await noteMigrationProgress(database, checksum, { done: index + 1, stored });
    notedAt = performance.now();
  }
}

/** Statements end with a semicolon at the end of a line; lines that begin with two dashes are comments. */
export const splitStatements = (sql: string): string[] =>
  sql
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('--'))
    .join('\n')
    .split(STATEMENT_END)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');

/** Where a migration that was interrupted has got to. */
export type MigrationProgress = {
  /** Statements that are done. */
  done: number;
  /** What is stored, as a text that changes with every batch that arrives. */
  stored: string;
};

/** What arrives, and what migrations fill other tables from. */
const SOURCES = ['events', ...Object.values(TABLES).map(({ table }) => table)];

export async function createMigrationSteps(database: ClickhouseShard): Promise<void> {
  await database.command(
    `CREATE TABLE IF NOT EXISTS schema_migration_steps (
       checksum String,
       done UInt32,
       stored String,
       noted_at DateTime64(3, 'UTC') DEFAULT now64(3)
     )
     ENGINE = MergeTree
     ORDER BY checksum
     SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 100`,
  );
}

/**
 * Of the file with this checksum. What was noted counts only while nothing has arrived since: rows of an older version
 * that ran in between are in no table that a finished statement has filled.
 */
export async function findMigrationProgress(
  database: ClickhouseShard,
  checksum: string,
): Promise<MigrationProgress> {
  const [row] = await database.query<MigrationProgress>(
    `WITH (
       SELECT hex(groupBitXor(cityHash64(table, partition_id, newest))) FROM (
         SELECT table, partition_id, max(max_block_number) AS newest FROM system.parts
         WHERE database = currentDatabase() AND active AND table IN {sources:Array(String)}
         GROUP BY table, partition_id)
     ) AS now_stored
     SELECT max(done) AS done, now_stored AS stored FROM schema_migration_steps
     WHERE checksum = {checksum:String} AND schema_migration_steps.stored = now_stored`,
    { checksum, sources: SOURCES },
  );
  if (!row) throw new Error('ClickHouse did not return the migration status');
  return row;
}

export async function noteMigrationProgress(
  database: ClickhouseShard,
  checksum: string,
  progress: MigrationProgress,
): Promise<void> {
  const token = `${checksum}-${progress.done}-${progress.stored}`;
  await database.insert('schema_migration_steps', [{ checksum, ...progress }], token);
}

/** Of the schema, without the lists of migrations themselves. */
export const listOwnTables = (): readonly string[] => tablesOf(readMigrationFiles(FOLDER));
