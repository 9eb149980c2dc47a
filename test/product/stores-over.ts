import type { ClickhouseDatabase } from '#storage/clickhouse/client.ts';
import { createEventStore } from '#storage/clickhouse/event-store.ts';
import { createStoredDays } from '#storage/clickhouse/stored-days.ts';
import { createTelemetryStore } from '#storage/clickhouse/telemetry-store.ts';
import { openDiskBlobStore } from '#storage/disk/blob-store.ts';
import { createDiskMeter } from '#storage/disk/disk-meter.ts';
import type { Stores } from '#storage/ports/stores.ts';
import { createAccountStore } from '#storage/postgres/account-store.ts';
import type { PostgresDatabase } from '#storage/postgres/database.ts';
import { createIngestSettingsStore } from '#storage/postgres/ingest-settings-store.ts';
import { createIssueStore } from '#storage/postgres/issue-store.ts';
import { createOutcomeStore } from '#storage/postgres/outcome-store.ts';
import { createProjectStore } from '#storage/postgres/project-store.ts';
import { createQuarantineStore } from '#storage/postgres/quarantine-store.ts';
import { createRetentionStore } from '#storage/postgres/retention-store.ts';

export const RETENTION_DAYS = 90;

/** Every store that the product has, over open databases and a folder. */
export const storesOver = (
  { db, pool }: Pick<PostgresDatabase, 'db' | 'pool'>,
  clickhouse: ClickhouseDatabase,
  folder: string,
  budgetBytes: number | null = null,
): Stores => ({
  accounts: createAccountStore(pool),
  blobs: openDiskBlobStore(folder),
  disk: createDiskMeter(folder, budgetBytes),
  events: createEventStore(clickhouse),
  ingestSettings: createIngestSettingsStore(db),
  issues: createIssueStore(db),
  outcomes: createOutcomeStore(db),
  projects: createProjectStore(db),
  quarantine: createQuarantineStore(db),
  retention: createRetentionStore(db, RETENTION_DAYS),
  storedDays: createStoredDays(clickhouse),
  telemetry: createTelemetryStore(clickhouse),
});
