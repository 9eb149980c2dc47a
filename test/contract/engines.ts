import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, inject, test } from 'vitest';
import { createLog } from '#lib/log.ts';
import type { ClickhouseDatabase } from '#storage/clickhouse/client.ts';
import { migrateClickhouse } from '#storage/clickhouse/migrate.ts';
import { openClickhouse } from '#storage/clickhouse/open-clickhouse.ts';
import { openPostgres, type PostgresDatabase } from '#storage/postgres/database.ts';
import { migratePostgres } from '#storage/postgres/migrate.ts';
import { MIGRATED_TEMPLATE, runOnServer } from './postgres-template.ts';

export const testLog = createLog('contract', 'error');

/** A server to run a suite on. */
export type Engine = { name: string; url: string };

/** Runs the suite once per PostgreSQL server: the embedded one, and the external one where one is named. */
export const describeOnPostgres = (port: string, suite: (engine: Engine) => void): void =>
  describeOn(
    port,
    { name: 'embedded PostgreSQL', url: inject('embeddedPostgresUrl') },
    'ERRATA_TEST_DATABASE_URL',
    suite,
  );

/**
 * Runs the suite once per ClickHouse server: the embedded one, the external one where one is named, and, in the full run,
 * a cluster of two shards.
 */
export function describeOnClickhouse(port: string, suite: (engine: Engine) => void): void {
  describeOnClickhouseServer(port, suite);
  const url = inject('clickhouseShardsUrl');
  if (url !== null) describe(`${port} on two shards`, () => suite({ name: 'two ClickHouse shards', url }));
}

/** As `describeOnClickhouse`, of what a single server has for itself: its own schema, and its backups. */
export const describeOnClickhouseServer = (port: string, suite: (engine: Engine) => void): void =>
  describeOn(
    port,
    { name: 'embedded ClickHouse', url: inject('embeddedClickhouseUrl') },
    'ERRATA_TEST_CLICKHOUSE_URL',
    suite,
  );

/** A new and empty database on the server; `drop` closes nothing. */
export const createEmptyPostgres = (engine: Engine): Promise<{ url: string; drop(): Promise<void> }> =>
  createPostgres(engine, 'template1');

async function createPostgres(
  engine: Engine,
  template: string,
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Half as long as by the log, where nothing is synced.
  await runOnServer(engine.url, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const url = new URL(engine.url);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => dropDatabase(engine.url, name) };
}

const DROP_TRIES_MAX = 20;
const DROP_PAUSE_MS = 250;

/** Only a superuser may end what autovacuum does in a database; it is done in a moment by itself. */
async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await runOnServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
    } catch (error) {
      if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE || tries === DROP_TRIES_MAX)
        throw error;
      await delay(DROP_PAUSE_MS);
    }
  }
}
const INSUFFICIENT_PRIVILEGE = '42501';

/** A new database with the current schema; `drop` closes it and removes it. */
export async function createMigratedPostgres(
  engine: Engine,
): Promise<PostgresDatabase & { drop(): Promise<void> }> {
  const isEmbedded = engine.url === inject('embeddedPostgresUrl');
  const made = await (isEmbedded ? createPostgres(engine, MIGRATED_TEMPLATE) : createEmptyPostgres(engine));
  const database = openPostgres(made.url, { poolMax: 8 });
  if (!isEmbedded) await migratePostgres(database, testLog);
  return {
    ...database,
    async drop() {
      await database.close();
      await made.drop();
    },
  };
}

/** Connections to a database that does not exist yet; `drop` closes them and removes it. */
export function openMissingClickhouse(
  engine: Engine,
  name = `test_${randomBytes(8).toString('hex')}`,
): ClickhouseDatabase & { url: string; drop(): Promise<void> } {
  const url = new URL(engine.url);
  url.pathname = `/${name}`;
  const database = openClickhouse(url.href);
  return {
    ...database,
    url: url.href,
    async drop() {
      for (const each of new Set([database.name, database.storedIn]))
        await database.commandOutside(`DROP DATABASE IF EXISTS ${each} SYNC`);
      await database.close();
    },
  };
}

/**
 * An empty database that gets the current schema when it is used first. `drop` closes it and removes it; on servers of this
 * run it is emptied and kept for the next suite of this process, as its tables take half a second to make.
 */
export function createMigratedClickhouse(engine: Engine): ReturnType<typeof openMissingClickhouse> {
  const spares = spareClickhouses.get(engine.url);
  const spare = spares?.pop();
  const database = openMissingClickhouse(engine, spare);
  let migrated = spare === undefined ? null : Promise.resolve();
  const onceMigrated =
    <Args extends unknown[], Answer>(use: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      migrated ??= migrateClickhouse(database, testLog);
      await migrated;
      return await use(...args);
    };
  return {
    ...database,
    query: onceMigrated(database.query) as typeof database.query,
    insert: onceMigrated(database.insert),
    insertBinary: onceMigrated(database.insertBinary),
    command: onceMigrated(database.command),
    write: onceMigrated(database.write),
    async drop() {
      if (!spares) return database.drop();
      if (migrated !== null) {
        await migrated;
        await emptyClickhouse(database);
        spares.push(database.name);
      }
      await database.close();
    },
  };
}

/** Names, by the servers of this run. */
const spareClickhouses = new Map<string | null, string[]>([
  [inject('embeddedClickhouseUrl'), []],
  [inject('clickhouseShardsUrl'), []],
]);

/** Of everything but the list of its migrations. */
async function emptyClickhouse(database: ClickhouseDatabase): Promise<void> {
  const filled = await database.query<{ name: string }>(
    `SELECT DISTINCT table AS name FROM ${database.system('parts')} WHERE database = {database:String} AND active AND rows > 0 AND table NOT LIKE 'schema_migration%'`,
    { database: database.storedIn },
  );
  await Promise.all(filled.map(({ name }) => database.command(`TRUNCATE TABLE ${name} SYNC`)));
}

function describeOn(port: string, embedded: Engine, variable: string, suite: (engine: Engine) => void): void {
  describe(`${port} on ${embedded.name}`, () => suite(embedded));
  const url = process.env[variable];
  if (url) describe(`${port} on the server of ${variable}`, () => suite({ name: variable, url }));
  else test(`${port} on an external server`, ({ skip }) => skip(`${variable} is not set`));
}
