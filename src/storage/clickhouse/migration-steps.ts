import type { ClickhouseDatabase } from './client.ts';
import { TABLES } from './telemetry/tables.ts';

/** Where a migration that was interrupted has got to. */
export type MigrationProgress = {
  /** Statements that are done. */
  done: number;
  /** What is stored, as a text that changes with every batch that arrives. */
  stored: string;
};

/** What arrives, and what migrations fill other tables from. */
const SOURCES = ['events', ...Object.values(TABLES).map(({ table }) => table)];

export async function createMigrationSteps(database: ClickhouseDatabase): Promise<void> {
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
  database: ClickhouseDatabase,
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
  if (!row) throw new Error('ClickHouse did not tell how far the migration has got');
  return row;
}

export async function noteMigrationProgress(
  database: ClickhouseDatabase,
  checksum: string,
  progress: MigrationProgress,
): Promise<void> {
  const token = `${checksum}-${progress.done}-${progress.stored}`;
  await database.insert('schema_migration_steps', [{ checksum, ...progress }], token);
}
