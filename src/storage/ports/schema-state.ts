import type { MigrationFacts, StoreName } from '#lib/migration-facts.ts';
import type { NotedMigration } from '#lib/migration-files.ts';

export type PendingMigration = {
  /** Of its file. */
  name: string;
  facts: MigrationFacts;
  /** What is stored in the tables that it goes through. */
  rows: number;
  bytes: number;
};

/** What a store has, before anything is changed. */
export type SchemaState = {
  store: StoreName;
  /** Empty: there is no schema yet. */
  applied: readonly NotedMigration[];
  /** Of those, what this program does not know and runs with. */
  newer: readonly NotedMigration[];
  pending: readonly PendingMigration[];
  /** Of all tables, without indexes that a backup does not have. */
  bytes: number;
};
