import pg from 'pg';
import type { Log } from '#lib/log.ts';
import { migratePostgres } from '#storage/postgres/migrate.ts';

/** A database with the current schema, which new ones are copies of: that is much faster than every migration. */
export const MIGRATED_TEMPLATE = 'errata_migrated';

export async function createMigratedTemplate(serverUrl: string, log: Log): Promise<void> {
  const url = new URL(serverUrl);
  url.pathname = `/${MIGRATED_TEMPLATE}`;
  await runOnServer(serverUrl, `CREATE DATABASE ${MIGRATED_TEMPLATE}`);
  await migratePostgres({ url: url.href }, log);
}

export async function runOnServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
