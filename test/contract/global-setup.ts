import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { createLog } from '#lib/log.ts';
import { startEmbeddedClickhouse } from '#storage/embedded/start-clickhouse.ts';
import { startEmbeddedPostgres } from '#storage/embedded/start-postgres.ts';
import { createMigratedTemplate } from './postgres-template.ts';

const CLICKHOUSE_MEMORY_BYTES_MAX = 700_000_000;

declare module 'vitest' {
  interface ProvidedContext {
    embeddedPostgresUrl: string;
    embeddedClickhouseUrl: string;
  }
}

/** Starts both embedded engines once per run, in a folder that goes away with them. */
export default async function setUpEngines(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'errata-contract-'));
  // PostgreSQL runs as another user when the tests run as root.
  chmodSync(dataDir, 0o755);
  const log = createLog('contract', 'warn');
  const [postgres, clickhouse] = await Promise.all([
    startEmbeddedPostgres({ dataDir, log }),
    startEmbeddedClickhouse({ dataDir, memoryBytesMax: CLICKHOUSE_MEMORY_BYTES_MAX, log }),
  ]);
  await createMigratedTemplate(postgres.url, log);
  project.provide('embeddedPostgresUrl', postgres.url);
  project.provide('embeddedClickhouseUrl', clickhouse.url);
  return async () => {
    await Promise.all([postgres.stop(), clickhouse.stop()]);
    rmSync(dataDir, { recursive: true, force: true });
  };
}
