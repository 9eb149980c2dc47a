import { join } from 'node:path';
import type { Log } from '#lib/log.ts';
import type { MigrationStep } from '#lib/migration-facts.ts';
import {
  type AppliedMigration,
  filesUpTo,
  findPendingMigrations,
  levelOfMigration,
  type MigratingCode,
  type MigrationFile,
  type NotedMigration,
  readMigrationFiles,
  readNotedMigration,
  THIS_CODE,
  tablesOf,
} from '#lib/migration-files.ts';
import type { ClickhouseDatabase, ClickhouseShard } from './client.ts';
import { factsOf } from './migration-facts.ts';
import { TABLES } from './telemetry/tables.ts';

export const MIGRATIONS_FOLDER = join(import.meta.dirname, 'migrations');
const STATEMENT_END = /;[ \t]*(?:\r?\n|$)/;
/** Migrations read from the table. */
const MIGRATIONS_MAX = 10_000;
/** Statements of less time together are repeated sooner than they are noted. */
const NOTE_AFTER_MS = 5_000;

export type MigrateOptions = {
  folder?: string;
  noteAfterMs?: number;
  /** For what a backup is restored into: no further than it was then; null for all of them. */
  upTo?: readonly AppliedMigration[] | null;
  onStep?: (step: MigrationStep) => void;
  code?: MigratingCode;
};

/**
 * Makes the database when it is missing and brings it up to this program, on every shard: the numbered files of `migrations/`, in
 * order, statement by statement. Every statement can be repeated, so that programs that start together do no harm; an
 * interrupted migration goes on after the last statement that was noted. Throws when an applied file was changed since, and
 * NewerDatabaseError when the database has migrations that this program neither knows nor runs with.
 */
export async function migrateClickhouse(
  database: ClickhouseDatabase,
  log: Log,
  {
    folder = MIGRATIONS_FOLDER,
    noteAfterMs = NOTE_AFTER_MS,
    upTo = null,
    onStep = () => {},
    code = THIS_CODE,
  }: MigrateOptions = {},
): Promise<void> {
  const files = filesUpTo('ClickHouse', readMigrationFiles(folder), upTo);
  for (const name of new Set([database.storedIn, database.name]))
    await database.commandOutside(`CREATE DATABASE IF NOT EXISTS ${name} ENGINE = Atomic`);
  await Promise.all(
    (await database.shards()).map((shard) => migrateShard(shard, log, files, { noteAfterMs, onStep, code })),
  );
  await database.joinTables(tablesOf(files));
}

async function migrateShard(
  database: ClickhouseShard,
  log: Log,
  files: readonly MigrationFile[],
  { noteAfterMs, onStep, code }: Required<Pick<MigrateOptions, 'noteAfterMs' | 'onStep' | 'code'>>,
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
  const applied = await readNotedMigrations(database);
  const pending = findPendingMigrations('ClickHouse', files, applied, code.version);
  if (pending.length > 0) await addNotes(database);
  for (const [index, file] of pending.entries()) {
    const { version, name, checksum } = file;
    log[levelOfMigration(applied)]({ migration: name }, 'Migrating ClickHouse');
    const tell = (statements: MigrationStep['statements']) =>
      onStep({ store: 'ClickHouse', name, number: index + 1, count: pending.length, statements });
    tell(null);
    await runStatements(database, file, { noteAfterMs, isEmpty: applied.length === 0, tell });
    const note = {
      version,
      name,
      checksum,
      applied_by: code.version,
      runs_with: factsOf(name).isCompatible ? code.versionBefore : '',
      tables: tablesOf([file]),
    };
    await database.insert('schema_migrations', [note], `${version}-${checksum}`);
  }
}

/** In their order; none when there is no schema yet. */
export async function readNotedMigrations(
  database: Pick<ClickhouseShard, 'query'>,
): Promise<readonly NotedMigration[]> {
  const [found] = await database.query<{ tables: number }>(
    `SELECT count() AS tables FROM system.tables WHERE database = currentDatabase() AND name = 'schema_migrations'`,
    {},
  );
  if (!found?.tables) return [];
  const rows = await database.query<Record<string, unknown>>(
    `SELECT * EXCEPT (applied_at) FROM schema_migrations FINAL ORDER BY version LIMIT ${MIGRATIONS_MAX}`,
    {},
  );
  return rows.map(readNotedMigration);
}

/** For older programs, which do not know the files of this one: whether they run with them, and what they made. */
async function addNotes(database: ClickhouseShard): Promise<void> {
  await database.command(
    `ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS applied_by String,
       ADD COLUMN IF NOT EXISTS runs_with String,
       ADD COLUMN IF NOT EXISTS tables Array(String)`,
  );
}

async function runStatements(
  database: ClickhouseShard,
  { checksum, sql }: MigrationFile,
  {
    noteAfterMs,
    isEmpty,
    tell,
  }: { noteAfterMs: number; isEmpty: boolean; tell: (statements: MigrationStep['statements']) => void },
): Promise<void> {
  const { done, stored } = await findMigrationProgress(database, checksum);
  const statements = splitStatements(sql);
  let notedAt = performance.now();
  for (const [index, statement] of statements.entries()) {
    // What fills one table from another has nothing to read in a database that is being made.
    if (index < done || (isEmpty && /^INSERT\b/.test(statement))) continue;
    // A statement that reads what is stored may take hours.
    await database.write(statement, {});
    tell({ done: index + 1, count: statements.length });
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
export const listOwnTables = (): readonly string[] => tablesOf(readMigrationFiles(MIGRATIONS_FOLDER));
