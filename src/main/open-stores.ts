import { join } from 'node:path';
import { openClickhouse } from '#storage/clickhouse/client.ts';
import { createEventStore } from '#storage/clickhouse/event-store.ts';
import { createStoredDays } from '#storage/clickhouse/stored-days.ts';
import { createTelemetryStore } from '#storage/clickhouse/telemetry-store.ts';
import { openDiskBlobStore } from '#storage/disk/blob-store.ts';
import { createDiskMeter } from '#storage/disk/disk-meter.ts';
import type { Stores } from '#storage/ports/stores.ts';
import { createAccountStore } from '#storage/postgres/account-store.ts';
import { openPostgres, type PostgresDatabase } from '#storage/postgres/database.ts';
import { createIngestSettingsStore } from '#storage/postgres/ingest-settings-store.ts';
import { createIssueStore } from '#storage/postgres/issue-store.ts';
import { createOutcomeStore } from '#storage/postgres/outcome-store.ts';
import { createProjectStore } from '#storage/postgres/project-store.ts';
import { createQuarantineStore } from '#storage/postgres/quarantine-store.ts';
import { createRetentionStore } from '#storage/postgres/retention-store.ts';
import type { Config } from '../config.ts';

/** The stores behind two addresses and a folder, and how to let go of them. */
export type OpenStores = { stores: Stores; postgres: PostgresDatabase; close(): Promise<void> };

export function openStores(
  urls: { databaseUrl: string; clickhouseUrl: string },
  config: Pick<Config, 'dataDir' | 'diskBytesMax' | 'retentionDays'>,
  options: { poolMax: number },
): OpenStores {
  const postgres = openPostgres(urls.databaseUrl, options);
  const clickhouse = openClickhouse(urls.clickhouseUrl);
  return {
    postgres,
    stores: {
      accounts: createAccountStore(postgres.pool),
      events: createEventStore(clickhouse),
      issues: createIssueStore(postgres.db),
      projects: createProjectStore(postgres.db),
      outcomes: createOutcomeStore(postgres.db),
      quarantine: createQuarantineStore(postgres.db),
      telemetry: createTelemetryStore(clickhouse),
      blobs: openDiskBlobStore(join(config.dataDir, 'blobs')),
      ingestSettings: createIngestSettingsStore(postgres.db),
      retention: createRetentionStore(postgres.db, config.retentionDays),
      storedDays: createStoredDays(clickhouse),
      disk: createDiskMeter(config.dataDir, config.diskBytesMax),
    },
    async close() {
      await Promise.all([postgres.close(), clickhouse.close()]);
    },
  };
}
