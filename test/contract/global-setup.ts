import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { createLog } from '#lib/log.ts';
import { startEmbeddedClickhouse } from '#storage/embedded/start-clickhouse.ts';
import { startEmbeddedPostgres } from '#storage/embedded/start-postgres.ts';
import { startClickhouseShards } from '../harness/clickhouse-shards.ts';
import { makeFastFolder } from '../harness/fast-folder.ts';
import { createMigratedTemplate, runOnServer } from './postgres-template.ts';

const CLICKHOUSE_MEMORY_BYTES_MAX = 1_500_000_000;

declare module 'vitest' {
  interface ProvidedContext {
    embeddedPostgresUrl: string;
    embeddedClickhouseUrl: string;
    /** Of two shards; null but in the full run. */
    clickhouseShardsUrl: string | null;
  }
}

/** Starts both embedded engines once per run, in a folder that goes away with them. */
export default async function setUpEngines(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = makeFastFolder('errata-contract-');
  // PostgreSQL runs as another user when the tests run as root.
  chmodSync(dataDir, 0o755);
  const log = createLog('contract', 'warn');
  const [postgres, clickhouse, shards] = await Promise.all([
    startEmbeddedPostgres({ dataDir, log }),
    startEmbeddedClickhouse({
      dataDir,
      memoryBytesMax: CLICKHOUSE_MEMORY_BYTES_MAX,
      log,
      databases: ['errata', 'test_*'],
    }),
    process.env.ERRATA_TEST_FULL ? startClickhouseShards() : null,
  ]);
  await prepareServer(postgres.url, dataDir);
  await createMigratedTemplate(postgres.url, log);
  project.provide('embeddedPostgresUrl', postgres.url);
  project.provide('embeddedClickhouseUrl', clickhouse.url);
  project.provide('clickhouseShardsUrl', shards?.url ?? null);
  return async () => {
    await Promise.all([postgres.stop(), clickhouse.stop(), shards?.remove()]);
    rmSync(dataDir, { recursive: true, force: true });
  };
}

/**
 * Each suite gets a database of its own, which the application's role may not make when it runs; and nothing here has to
 * outlive a power cut: what is synced to disk, and when, is proven where real servers are killed.
 */
async function prepareServer(url: string, dataDir: string): Promise<void> {
  const admin = new URL(url);
  admin.username = 'errata_admin';
  admin.password = readFileSync(join(dataDir, 'postgres-admin-password'), 'utf8').trim();
  for (const statement of [
    'ALTER ROLE errata CREATEDB',
    'ALTER SYSTEM SET fsync = off',
    'ALTER SYSTEM SET full_page_writes = off',
    'SELECT pg_reload_conf()',
  ]) {
    await runOnServer(admin.href, statement);
  }
}
