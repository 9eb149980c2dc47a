import { join } from 'node:path';
import type { Client } from 'pg';
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
import { parseReleases } from '#storage/sql/release-parts.ts';
import { connectAlone } from './database.ts';
import { factsOf } from './migration-facts.ts';

/** Any number, as long as nothing else in the database takes an advisory lock with it. */
const MIGRATION_LOCK_ID = 7_270_000;
export const MIGRATIONS_FOLDER = join(import.meta.dirname, 'migrations');

export type MigrateOptions = {
  folder?: string;
  /** For what a backup is restored into: no further than it was then; null for all of them. */
  upTo?: readonly AppliedMigration[] | null;
  onStep?: (step: MigrationStep) => void;
  code?: MigratingCode;
};

/**
 * Brings the schema up to this program: the numbered files of `migrations/`, in order, each in a transaction of its
 * own; then releases that an older program stored are taken apart. Programs that start together wait for each other.
 * Throws when an applied file was changed since, and NewerDatabaseError when the database has migrations that this program
 * neither knows nor runs with.
 */
export async function migratePostgres(
  database: { url: string },
  log: Log,
  { folder = MIGRATIONS_FOLDER, upTo = null, onStep = () => {}, code = THIS_CODE }: MigrateOptions = {},
): Promise<void> {
  const files = filesUpTo('PostgreSQL', readMigrationFiles(folder), upTo);
  const client = await connectAlone(database.url);
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK_ID]);
    await client.query(
      `CREATE TABLE IF NOT EXISTS schema_migrations (
         version integer PRIMARY KEY,
         name text NOT NULL,
         checksum text NOT NULL,
         applied_at timestamptz NOT NULL DEFAULT now()
       )`,
    );
    const applied = await readNotedMigrations(client);
    const pending = findPendingMigrations('PostgreSQL', files, applied, code.version);
    // Only then: programs that have nothing to do are not kept waiting for the lock of the table.
    if (pending.length > 0) await addNotes(client);
    for (const [index, file] of pending.entries()) {
      log[levelOfMigration(applied)]({ migration: file.name }, 'Migrating PostgreSQL');
      onStep({
        store: 'PostgreSQL',
        name: file.name,
        number: index + 1,
        count: pending.length,
        statements: null,
      });
      await apply(client, file, code);
    }
    if (folder === MIGRATIONS_FOLDER && !upTo) await parseReleases(client);
  } finally {
    // Ends the session, and with it the lock.
    await client.end();
  }
}

/** In their order; none when there is no schema yet. */
export async function readNotedMigrations(client: Client): Promise<readonly NotedMigration[]> {
  const { rows: tables } = await client.query<{ isThere: boolean }>(
    `SELECT to_regclass('schema_migrations') IS NOT NULL AS "isThere"`,
  );
  if (!tables[0]?.isThere) return [];
  const { rows } = await client.query<Record<string, unknown>>(
    'SELECT * FROM schema_migrations ORDER BY version',
  );
  return rows.map(readNotedMigration);
}

/** For older programs, which do not know the files of this one: whether they run with them, and what they made. */
async function addNotes(client: Client): Promise<void> {
  await client.query(
    `ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS applied_by text,
       ADD COLUMN IF NOT EXISTS runs_with text,
       ADD COLUMN IF NOT EXISTS tables text[] NOT NULL DEFAULT '{}'`,
  );
}

async function apply(client: Client, file: MigrationFile, code: MigratingCode): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(file.sql);
    await client.query(
      `INSERT INTO schema_migrations (version, name, checksum, applied_by, runs_with, tables)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [
        file.version,
        file.name,
        file.checksum,
        code.version,
        factsOf(file.name).isCompatible ? code.versionBefore : null,
        tablesOf([file]),
      ],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Of the schema, without the list of migrations itself. */
export const listOwnTables = (): readonly string[] => tablesOf(readMigrationFiles(MIGRATIONS_FOLDER));
