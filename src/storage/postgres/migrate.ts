import { join } from 'node:path';
import type { Client } from 'pg';
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
import { parseReleases } from '#storage/sql/release-parts.ts';
import { connectAlone } from './database.ts';

/** Any number, as long as nothing else in the database takes an advisory lock with it. */
const MIGRATION_LOCK_ID = 7_270_000;
const FOLDER = join(import.meta.dirname, 'migrations');

/**
 * Brings the schema up to this program: the numbered files of `migrations/`, in order, each in a transaction of its
 * own; then releases that an older program stored are taken apart. Programs that start together wait for each other.
 * Throws when an applied file was changed since, or when the
 * database knows migrations that this program does not.
 */
export async function migratePostgres(
  database: { url: string },
  log: Log,
  folder = FOLDER,
  /** For what a backup is restored into: no further than it was then; null for all of them. */
  upTo: readonly AppliedMigration[] | null = null,
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
    const { rows: applied } = await client.query<AppliedMigration>(
      'SELECT version, name, checksum FROM schema_migrations ORDER BY version',
    );
    for (const file of findPendingMigrations('PostgreSQL', files, applied)) {
      log[levelOfMigration(applied)]({ migration: file.name }, 'Migrating PostgreSQL');
      await apply(client, file);
    }
    if (folder === FOLDER && !upTo) await parseReleases(client);
  } finally {
    // Ends the session, and with it the lock.
    await client.end();
  }
}

async function apply(client: Client, file: MigrationFile): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(file.sql);
    await client.query('INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)', [
      file.version,
      file.name,
      file.checksum,
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Of the schema, without the list of migrations itself. */
export const listOwnTables = (): readonly string[] => tablesOf(readMigrationFiles(FOLDER));
