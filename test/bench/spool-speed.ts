// What an event costs through files and through Kafka, with one, two and four digests, at the same rate:
// `node bin/run-built.mjs test/bench/spool-speed.ts`. The brokers are a process of others, and are told apart.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseDsn } from '../harness/envelope.ts';
import { kafkaMissing, startKafkaCluster } from '../harness/kafka-cluster.ts';
import { type ErrataServer, startErrata } from '../harness/start-errata.ts';
import { until } from '../harness/until.ts';
import { GeneratorProcess } from './generator-process.ts';
import { readCpu } from './measure-processes.ts';
import { countStoredEvents } from './multiply-events.ts';
import { load } from './pace.ts';

const EVENT_BYTES = 5_000;
const PER_SECOND = Number(process.env.ERRATA_BENCH_PER_SECOND ?? 200);
const SECONDS = Number(process.env.ERRATA_BENCH_SECONDS ?? 40);
// Each digest has threads of its own, whose code V8 compiles while it becomes hot.
const WARM_UP_SECONDS = 30;
const SETTLED_MS = 15_000;
const DIGESTS = (process.env.ERRATA_BENCH_DIGESTS ?? '1,2,4').split(',').map(Number);
const PARTITIONS = 8;
const STORED_MS_MAX = 300_000;

const missing = kafkaMissing();
if (missing !== null) throw new Error(missing);
const kafka = await startKafkaCluster(1);
const generator = await GeneratorProcess.open();
try {
  // Before and after: on a machine with other work, one figure alone says little.
  const before = await measure('files', null, 1);
  const overKafka: [digests: number, micros: number][] = [];
  for (const digests of DIGESTS)
    overKafka.push([digests, await measure(`Kafka, ${digests} digests`, `errata-${digests}`, digests)]);
  const files = (before + (await measure('files again', null, 1))) / 2;
  for (const [digests, micros] of overKafka)
    console.log(`Kafka, ${digests} digests, against files: ${((micros / files - 1) * 100).toFixed(0)} %`);
} finally {
  generator.close();
  await kafka.remove();
}

/** Microseconds of processor of all of Errata and its stores for an event. */
async function measure(name: string, topic: string | null, digests: number): Promise<number> {
  const env: Record<string, string> = { ERRATA_LOG_LEVEL: 'warn', ERRATA_SELF_REPORTING: 'off' };
  if (topic !== null)
    env.ERRATA_SPOOL_URL = `kafka://${kafka.brokers.join(',')}/${topic}?partitions=${PARTITIONS}`;
  const machines = [await startErrata({ env })];
  try {
    const [first] = machines as [ErrataServer];
    for (let digest = 1; digest < digests; digest++) machines.push(await addDigest(first, env));
    // They share the partitions among them within seconds.
    await sleep(10_000);
    await send(first, WARM_UP_SECONDS);
    await sleep(SETTLED_MS);
    const idleFrom = await cpuOf(machines);
    await sleep(SETTLED_MS);
    const before = await cpuOf(machines);
    const startedAt = performance.now();
    const events = await send(first, SECONDS);
    // What ClickHouse merges of it belongs to it.
    await sleep(SETTLED_MS);
    const after = await cpuOf(machines);
    const elapsedMs = performance.now() - startedAt;
    const micros: Record<string, number> = {};
    for (const [part, value] of Object.entries(after)) {
      const start = before[part] ?? 0;
      const idle = ((start - (idleFrom[part] ?? 0)) / SETTLED_MS) * elapsedMs;
      micros[part] = Math.round(((value - start - idle) / events) * 1e6);
    }
    const total = Object.values(micros).reduce((sum, value) => sum + value, 0);
    console.log(`${name}: ${total} µs of processor an event at ${PER_SECOND}/s: ${JSON.stringify(micros)}`);
    return total;
  } finally {
    for (const machine of machines.reverse()) await machine[Symbol.asyncDispose]();
  }
}

function addDigest(first: ErrataServer, env: Readonly<Record<string, string>>): Promise<ErrataServer> {
  const runtime = JSON.parse(readFileSync(path.join(first.dataDir, 'runtime.json'), 'utf8')) as {
    databaseUrl: string;
    clickhouseUrl: string;
  };
  return startErrata({
    roles: 'digest',
    admin: false,
    env: {
      ...env,
      DATABASE_URL: runtime.databaseUrl,
      CLICKHOUSE_URL: runtime.clickhouseUrl,
      ERRATA_SECRET: readFileSync(path.join(first.dataDir, 'secret'), 'utf8').trim(),
    },
  });
}

/** Sends at the rate, and answers how many when all are stored. */
async function send(server: ErrataServer, seconds: number): Promise<number> {
  const dsn = parseDsn(server.dsn ?? '');
  const before = await countStoredEvents(server.dataDir);
  generator.start(load(dsn, Number(new URL(server.url).port), EVENT_BYTES, 0));
  for (let tenth = 1; tenth <= seconds * 10; tenth++) {
    generator.allow(Math.floor((tenth / 10) * PER_SECOND));
    await sleep(100);
  }
  const { answered } = await generator.stop();
  await until(
    'all events are stored',
    async () => (await countStoredEvents(server.dataDir)) >= before + answered,
    {
      timeoutMs: STORED_MS_MAX,
      everyMs: 250,
    },
  );
  return answered;
}

/** Seconds by part, of all machines together. */
async function cpuOf(machines: readonly ErrataServer[]): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const machine of machines)
    for (const [part, seconds] of Object.entries(await readCpu(machine)))
      sums[part] = (sums[part] ?? 0) + seconds;
  return sums;
}
