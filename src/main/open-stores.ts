import { openClickhouse } from '#storage/clickhouse/client.ts';
import { createEventStore } from '#storage/clickhouse/event-store.ts';
import type { Stores } from '#storage/ports/stores.ts';
import { createAccountStore } from '#storage/postgres/account-store.ts';
import { openPostgres, type PostgresDatabase } from '#storage/postgres/database.ts';
import { createIssueStore } from '#storage/postgres/issue-store.ts';
import { createOutcomeStore } from '#storage/postgres/outcome-store.ts';
import { createProjectStore } from '#storage/postgres/project-store.ts';
import { createQuarantineStore } from '#storage/postgres/quarantine-store.ts';

/** The stores behind two addresses, and how to let go of them. */
export type OpenStores = { stores: Stores; postgres: PostgresDatabase; close(): Promise<void> };

export function openStores(
  urls: { databaseUrl: string; clickhouseUrl: string },
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
    },
    async close() {
      await Promise.all([postgres.close(), clickhouse.close()]);
    },
  };
}
