// What understanding costs without the stores, by the number of threads: `node test/bench/understand-speed.ts`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BodySampler } from '#ingest/body-sampler.ts';
import { prepareBatch } from '#ingest/digest-batch.ts';
import { ThreadPool } from '#ingest/understanding/thread-pool.ts';
import { parseFaultPoints } from '#lib/fault-points.ts';
import { createLog } from '#lib/log.ts';
import { compileIngestRules } from '#pipeline/ingest-rules.ts';
import type { AbsentScript, SymbolSources } from '#pipeline/symbolicate/symbol-sources.ts';
import { DEFAULT_INGEST_SETTINGS } from '#protocol/ingest-settings.ts';
import type { ClickhouseDatabase } from '#storage/clickhouse/client.ts';
import { createEventStore } from '#storage/clickhouse/event-store.ts';
import type { SpoolRecord } from '#storage/ports/spool.ts';
import { makeJavascriptError } from '../harness/sample-event.ts';
import { makeRecord } from '../harness/spool-records.ts';

const ISSUES = 50;
/** A batch of digest: a thousand records, or eight megabytes. */
const SIZES = [
  { bytes: 5_000, records: 1_000, rounds: 12 },
  { bytes: 50_000, records: 160, rounds: 12 },
] as const;
const WARM_ROUNDS = 6;
const THREADS = [0, 1, 2, 4] as const;

type Cost = {
  bytes: number;
  threads: number;
  eventsPerSecond: number;
  /** Microseconds of CPU for one event, of all threads. */
  allUs: number;
  /** Of the thread that stores: where it is always busy, no machine does more. */
  storingUs: number;
  /** Of the process, at the end. */
  memoryMb: number;
};

const rules = compileIngestRules(DEFAULT_INGEST_SETTINGS);
const NO_UPLOADS: AbsentScript = { kind: 'absent', reason: 'release_has_no_files', release: 'shop' };
const sources: SymbolSources = {
  findScript: () => NO_UPLOADS,
  findMapping: (debugId) => ({ reason: 'mapping_not_uploaded', debugId }),
  findSymbols: () => null,
};

/** Understands the same batch again and again, and hands its rows to a store that takes no time. */
async function measure(
  records: readonly SpoolRecord[],
  { bytes, threads, rounds }: { bytes: number; threads: number; rounds: number },
): Promise<Cost> {
  const dataDir = mkdtempSync(join(tmpdir(), 'errata-understand-'));
  const pool =
    threads === 0
      ? null
      : new ThreadPool({
          threads,
          module: new URL('../../src/main/digest-thread.ts', import.meta.url),
          workerData: { dataDir, blobs: null, s3Credentials: null, faultPoints: null },
          answers: {
            findProject: () => ({ settings: DEFAULT_INGEST_SETTINGS, grouping: null, discardedHashes: [] }),
            findSymbols: async (_, wishes) => wishes.map(() => ({ kind: 'script', script: NO_UPLOADS })),
          },
          log: createLog('bench', 'warn'),
        });
  const events = createEventStore(STORES_NOTHING);
  const run = async () => {
    const batch = await prepareBatch(
      {
        recentIds: { find: () => null },
        faults: parseFaultPoints(null),
        rules: { find: () => rules },
        bodies: new BodySampler(),
        lookUpGeo: () => null,
        readAhead: async () => ({ crash: null, head: null, videoParts: null }),
        symbols: { run: async (_, digest) => digest(sources) },
        ...(pool && { threads: pool }),
      },
      'bench',
      0,
      records,
    );
    await events.insertEvents(batch.events, 'token');
  };
  for (let round = 0; round < WARM_ROUNDS; round++) await run();
  const all = process.cpuUsage();
  const storing = process.threadCpuUsage();
  const startedAt = performance.now();
  for (let round = 0; round < rounds; round++) await run();
  const seconds = (performance.now() - startedAt) / 1_000;
  const perEvent = ({ user, system }: NodeJS.CpuUsage) =>
    Math.round((user + system) / (records.length * rounds));
  const cost: Cost = {
    bytes,
    threads,
    eventsPerSecond: Math.round((records.length * rounds) / seconds),
    allUs: perEvent(process.cpuUsage(all)),
    storingUs: perEvent(process.threadCpuUsage(storing)),
    memoryMb: Math.round(process.memoryUsage.rss() / 1e6),
  };
  await pool?.stop();
  rmSync(dataDir, { recursive: true, force: true });
  return cost;
}

const STORES_NOTHING = { insertBinary: async () => {} } as unknown as ClickhouseDatabase;

/** `node test/bench/understand-speed.ts THREADS BYTES` for one of them: memory that another one left would count. */
const [threadsAsked, bytesAsked] = process.argv.slice(2).map(Number);
for (const { bytes, records: count, rounds } of SIZES) {
  if (bytesAsked !== undefined && bytes !== bytesAsked) continue;
  const records = Array.from({ length: count }, (_, index) => {
    const event = makeJavascriptError({ issue: index % ISSUES, bytes });
    return makeRecord(index + 1, [{ type: 'event', payload: JSON.stringify(event) }]);
  });
  for (const threads of THREADS) {
    if (threadsAsked !== undefined && threads !== threadsAsked) continue;
    console.log(JSON.stringify(await measure(records, { bytes, threads, rounds })));
  }
}
