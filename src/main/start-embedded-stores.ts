import type { Config } from '#config.ts';
import { invalid } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import type { EmbeddedEngine } from '#storage/embedded/engine.ts';
import { explainMissingClickhouse, startEmbeddedClickhouse } from '#storage/embedded/start-clickhouse.ts';
import { startEmbeddedPostgres } from '#storage/embedded/start-postgres.ts';

/** `databaseUrl` is that of sessions, past a pooler. */
export type StartedStores = { databaseUrl: string; clickhouseUrl: string; stop(): Promise<void> };

/**
 * The stores that the settings name; those that they do not are started on the data directory, whose lock the caller has.
 * Throws Invalid where the embedded ClickHouse cannot run.
 */
export async function startEmbeddedStores(
  config: Pick<
    Config,
    'dataDir' | 'databaseUrl' | 'databaseDirectUrl' | 'clickhouseUrl' | 'memory' | 'clickhouseMemoryBytesMax'
  >,
  log: Log,
): Promise<StartedStores> {
  const { dataDir, memory } = config;
  const missing = config.clickhouseUrl ? null : explainMissingClickhouse();
  if (missing) throw invalid(missing);
  const engines: EmbeddedEngine[] = [];
  const stop = async () => {
    await Promise.all(engines.map((engine) => engine.stop()));
  };
  const started = async (starting: Promise<EmbeddedEngine>): Promise<string> => {
    const engine = await starting;
    engines.push(engine);
    return engine.url;
  };
  try {
    const databaseUrl =
      config.databaseDirectUrl ??
      config.databaseUrl ??
      (await started(startEmbeddedPostgres({ dataDir, memory: memory.postgres, log })));
    const clickhouseUrl =
      config.clickhouseUrl ??
      (await started(
        startEmbeddedClickhouse({
          dataDir,
          memoryBytesMax: config.clickhouseMemoryBytesMax,
          markCacheBytes: memory.markCacheBytes,
          queryThreads: memory.clickhouseThreads,
          log,
        }),
      ));
    return { databaseUrl, clickhouseUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
