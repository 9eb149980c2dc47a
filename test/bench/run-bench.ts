// `npm run bench`: what the server takes, stores and shows on this machine. Everything runs here: server, stores, load.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, type ApiIssue, createApiClient } from '../harness/api-client.ts';
import { type Dsn, parseDsn } from '../harness/envelope.ts';
import { readMetrics } from '../harness/read-health.ts';
import { SAMPLE_RELEASE, scriptOf } from '../harness/sample-event.ts';
import { startErrata } from '../harness/start-errata.ts';
import { countEvents } from '../harness/stored-events.ts';
import { until } from '../harness/until.ts';
import { GeneratorProcess, type LoadResult, percentile } from './generator-process.ts';
import { type MemoryByPart, readCpu, readMemory } from './measure-processes.ts';
import { countStoredEvents, multiplyEvents } from './multiply-events.ts';
import { countDigested, ISSUES, load, startPace } from './pace.ts';
import { measurePages } from './page-speed.ts';
import { comparePeers } from './peers/compare-peers.ts';
import { measureReads, openSession, type ReadLatency } from './read-latency.ts';
import { measureReadable } from './readable-latency.ts';
import { makeUploads, uploadMaps } from './upload-maps.ts';

const SECONDS = Number(process.env.ERRATA_BENCH_SECONDS ?? 60);
const ACCEPT_SECONDS = Math.min(5, SECONDS);
const ACCEPT_ROUNDS = 3;
/** What may be under way between the answer and the page: enough that digest never waits for the load. */
const BACKLOG_BYTES = 30_000_000;
const IDLE_MS = 10_000;
const SIZES = [5_000, 50_000] as const;
/** A rate that a busy installation has; the reads beside it are what people feel. */
const STEADY_PER_SECOND = 1_000;
const CALM_PER_SECOND = 100;
const UPLOADED_MIB = 100;
/** All of them when ERRATA_BENCH_PARTS names none. */
const PARTS = ['still', 'pages', 'latency', 'steady', 'uploads', '5000', '50000', 'accept'] as const;
type Part = (typeof PARTS)[number];
const asked = (process.env.ERRATA_BENCH_PARTS ?? '').split(',').filter(Boolean);
const isAsked = (part: Part): boolean => asked.length === 0 || asked.includes(part);
/** Events that are stored before anything is measured; they are written straight into the store. */
const STORED_EVENTS = Number(process.env.ERRATA_BENCH_EVENTS ?? 0);
/** A data directory of an earlier run, whose project `bench` has events already. */
const DATA_DIR = process.env.ERRATA_BENCH_DATA_DIR;
const SLUG = 'bench';
const DISK_BYTES = 64 * 1024 ** 3;

type Accept = {
  perSecond: number;
  barePerSecond: number;
  ratio: number;
  p50Ms: number;
  p95Ms: number;
  /** At the end of the flood. */
  memoryMb: MemoryByPart;
};

type EndToEnd = {
  perSecond: number;
  seconds: number;
  events: number;
  reads: Record<string, ReadLatency>;
  memoryMb: MemoryByPart;
  cpuSeconds: Record<string, number>;
};

if (process.argv.includes('--peers')) {
  await comparePeers(print);
  process.exit();
}
const options = { env: { ERRATA_LOG_LEVEL: 'warn', ERRATA_DISK_BYTES_MAX: String(DISK_BYTES) } };
const server = await startErrata(DATA_DIR ? { ...options, dataDir: DATA_DIR } : options);
const port = Number(new URL(server.url).port);
const token = await server.token();
const api = createApiClient(server.url, token);
const benchDsn = parseDsn(await openProject());
const cookie = await openSession(server.url);
await sleep(IDLE_MS);
const idleMemoryMb = await readMemory(server);
print(`ready after ${(server.readyAfterMs / 1000).toFixed(1)} s, idle ${idleMemoryMb.total} MB`);

const bare = await startBareServer();
const generator = await GeneratorProcess.open();
// Every part reads issues.
if (STORED_EVENTS > 0 || (await countStored()) === 0) await sendEachIssue();
if (STORED_EVENTS > 0) await multiplyEvents(server.dataDir, STORED_EVENTS, print);
print(`${await countStored()} events are stored, of ${ISSUES} issues; spike protection is off`);
const still = isAsked('still') ? await benchStill() : null;
const pages = isAsked('pages') ? await benchPages() : null;
const readable = isAsked('latency') ? await benchLatency() : null;
const steady = isAsked('steady') ? await benchEndToEnd(SIZES[0], STEADY_PER_SECOND) : null;
const uploads = isAsked('uploads') ? await benchUploads() : null;
// The floods come last: what they leave in memory is not what a load that can be kept up needs.
const endToEnds: EndToEnd[] = [];
for (const size of SIZES) if (isAsked(`${size}`)) endToEnds.push(await benchEndToEnd(size, null));
const accepts: { eventBytes: number; running: Accept; held: Accept }[] = [];
for (const eventBytes of isAsked('accept') ? SIZES : []) {
  const running = await benchAccept(eventBytes, false);
  accepts.push({ eventBytes, running, held: await benchAccept(eventBytes, true) });
}
generator.close();
bare.close();
print(
  JSON.stringify({
    cores: cpus().length,
    node: process.version,
    readyAfterMs: Math.round(server.readyAfterMs),
    idleMemoryMb,
    still,
    pages,
    readable,
    steady,
    uploads,
    endToEnds,
    accepts,
  }),
);
if (DATA_DIR) await server.stop();
else await server[Symbol.asyncDispose]();

/** The project that is measured. Bodies are kept, whatever comes: sampling would flatter every figure. */
async function openProject(): Promise<string> {
  const known = await server.cli(['dsn', SLUG]);
  const dsn = known.code === 0 ? known.stdout.trim() : await server.project(SLUG);
  const answer = await api.request('PUT', `/api/0/projects/main/${SLUG}/rate-limits/`, {
    spikeProtection: { isEnabled: false, bodiesPerHour: 1_000 },
  });
  if (answer.status !== 200) throw new Error(`Spike protection stays on: ${JSON.stringify(answer.body)}`);
  // Digest looks at the settings every two seconds.
  await sleep(3_000);
  return dsn;
}

/** One event of each issue, the usual way. */
async function sendEachIssue(): Promise<void> {
  const before = await countEvents(api, SLUG);
  generator.start(load(benchDsn, port, SIZES[0], ISSUES));
  await until('an event of each issue', async () => (await countEvents(api, SLUG)) >= before + ISSUES);
  await generator.stop();
}

async function countStored(): Promise<number> {
  return await countStoredEvents(server.dataDir);
}

/** What the reads take when nothing else goes on. */
async function benchStill(): Promise<Record<string, ReadLatency>> {
  const issues = await api.get<ApiIssue[]>(`/api/0/projects/main/${SLUG}/issues/?query=&limit=100`);
  const reads = await measureReads(
    { url: server.url, token, slug: SLUG, cookie, issues },
    AbortSignal.timeout(Math.min(SECONDS, 30) * 1000),
  );
  for (const [name, latency] of Object.entries(reads))
    print(`still: ${name}, p50 / p95 ms: ${describeLatency(latency)}`);
  return reads;
}

/** What a person waits for in a browser, nothing else going on. */
async function benchPages(): Promise<Awaited<ReturnType<typeof measurePages>>> {
  const [issue] = await api.get<ApiIssue[]>(`/api/0/projects/main/${SLUG}/issues/?query=&limit=1`);
  return await measurePages(server.url, {
    stream: `/main/issues?project=${SLUG}`,
    issue: `/main/issues/${issue?.shortId}`,
  });
}

/** (e) From sending to the answer of the API, beside a calm load. */
async function benchLatency(): Promise<{ p50: number; p95: number; max: number; samples: number }> {
  const pace = startPace({ server, generator }, benchDsn, SIZES[0], CALM_PER_SECOND, 1_000);
  await sleep(3_000);
  const tookMs = await measureReadable(api, benchDsn, SLUG, Math.min(SECONDS, 60) * 1000);
  await pace.stop();
  const result = {
    p50: percentile(tookMs, 0.5),
    p95: percentile(tookMs, 0.95),
    max: Math.max(...tookMs),
    samples: tookMs.length,
  };
  print(
    `event to API at ${CALM_PER_SECOND}/s: p50 / p95 / max ms: ${result.p50.toFixed(0)} / ${result.p95.toFixed(0)} / ${result.max.toFixed(0)} of ${result.samples}`,
  );
  return result;
}

/** (a) As many as the edge takes, in turn with the bare server; the best of the rounds of each. */
async function benchAccept(eventBytes: number, holdDigest: boolean): Promise<Accept> {
  const slug = `accept-${eventBytes}-${holdDigest ? 'held' : 'running'}`;
  const dsn = parseDsn(await server.project(slug));
  const ours: LoadResult[] = [];
  const bares: LoadResult[] = [];
  let expected = 0;
  let memoryMb: MemoryByPart = {};
  for (let round = 0; round < ACCEPT_ROUNDS; round++) {
    bares.push(await runLoad(bare.port, dsn, eventBytes));
    const { digest } = await server.pids();
    if (holdDigest) process.kill(digest, 'SIGSTOP');
    const result = await runLoad(port, dsn, eventBytes);
    if (holdDigest) process.kill(digest, 'SIGCONT');
    memoryMb = await readMemory(server);
    if (result.refused > 0) throw new Error(`The edge refused ${result.refused} events`);
    ours.push(result);
    expected += result.answered;
    await waitUntilStored(api, slug, expected);
  }
  const best = (list: LoadResult[]) => list.reduce((a, b) => (b.perSecond > a.perSecond ? b : a));
  const [one, reference] = [best(ours), best(bares)];
  const accept = {
    perSecond: one.perSecond,
    barePerSecond: reference.perSecond,
    ratio: one.perSecond / reference.perSecond,
    p50Ms: one.latencyMs.p50,
    p95Ms: one.latencyMs.p95,
    memoryMb,
  };
  print(
    `accept ${eventBytes} B${holdDigest ? ', digest held' : ''}: ${accept.perSecond.toFixed(0)}/s, bare ${accept.barePerSecond.toFixed(0)}/s, ratio ${accept.ratio.toFixed(2)}`,
  );
  return accept;
}

async function runLoad(port: number, dsn: Dsn, eventBytes: number): Promise<LoadResult> {
  generator.start(load(dsn, port, eventBytes, null));
  await sleep(ACCEPT_SECONDS * 1000);
  return generator.stop();
}

/**
 * (b), (c), (d): the load follows what has become readable, so that what is measured can be kept up; at most
 * `perSecondMax`, or as fast as it goes for null.
 */
async function benchEndToEnd(eventBytes: number, perSecondMax: number | null): Promise<EndToEnd> {
  const backlogEvents = Math.round(BACKLOG_BYTES / eventBytes);
  const countedBefore = await countEvents(api, SLUG);
  const pace = startPace({ server, generator }, benchDsn, eventBytes, perSecondMax, backlogEvents);
  await until('the first events', () => pace.digested() > Math.min(backlogEvents, 1_000), {
    timeoutMs: 60_000,
  });

  const issues = await api.get<ApiIssue[]>(`/api/0/projects/main/${SLUG}/issues/?query=&limit=100`);
  const readers = new AbortController();
  const reading = measureReads({ url: server.url, token, slug: SLUG, cookie, issues }, readers.signal);
  const memories: MemoryByPart[] = [];
  const cpuBefore = await readCpu(server);
  const from = { at: performance.now(), events: await countDigested(server), spool: await readSpoolBytes() };
  while (performance.now() - from.at < SECONDS * 1000) {
    memories.push(await readMemory(server));
    await sleep(2000);
  }
  const to = { at: performance.now(), events: await countDigested(server), spool: await readSpoolBytes() };
  const cpuAfter = await readCpu(server);
  readers.abort();
  const reads = await reading;
  const { answered } = await pace.stop();
  await waitUntilStored(api, SLUG, countedBefore + answered);

  const seconds = (to.at - from.at) / 1000;
  const endToEnd = {
    perSecond: (to.events - from.events) / seconds,
    seconds,
    events: to.events - from.events,
    reads,
    memoryMb: memories.reduce((a, b) => ((b.total ?? 0) > (a.total ?? 0) ? b : a)),
    cpuSeconds: Object.fromEntries(
      Object.entries(cpuAfter).map(([part, value]) => [part, value - (cpuBefore[part] ?? 0)]),
    ),
  };
  const goes = perSecondMax === null ? 'as fast as it goes' : `at ${perSecondMax}/s`;
  print(`end to end ${eventBytes} B, ${goes}: ${endToEnd.perSecond.toFixed(0)}/s`);
  for (const [name, latency] of Object.entries(reads))
    print(`  ${name}, p50 / p95 ms: ${describeLatency(latency)}`);
  print(`  memory, MB: ${JSON.stringify(endToEnd.memoryMb)}`);
  const perEvent = Object.entries(endToEnd.cpuSeconds).map(
    ([part, value]) => `${part} ${Math.round((value / endToEnd.events) * 1e6)}`,
  );
  print(`  CPU, µs per event: ${perEvent.join(', ')}`);
  print(`  spool at the beginning and at the end, MB: ${from.spool / 1e6}, ${to.spool / 1e6}`);
  return endToEnd;
}

/** As the steady load, while builds upload source maps of the events' release. */
async function benchUploads(): Promise<EndToEnd> {
  const scripts = Array.from({ length: ISSUES }, (_, issue) => scriptOf(issue));
  const maps = makeUploads(UPLOADED_MIB, scripts);
  const stop = new AbortController();
  const uploading = uploadMaps({ url: server.url, token, api }, SLUG, SAMPLE_RELEASE, maps, stop.signal);
  const result = await benchEndToEnd(SIZES[0], STEADY_PER_SECOND);
  stop.abort();
  print(`${await uploading} uploads of 10 MiB meanwhile`);
  return result;
}

async function readSpoolBytes(): Promise<number> {
  const metrics = await readMetrics(server);
  return Number(/^errata_spool_bytes (\d+)$/m.exec(metrics)?.[1] ?? Number.NaN);
}

async function waitUntilStored(client: ApiClient, slug: string, events: number): Promise<void> {
  await until(
    `${events} events readable in ${slug}`,
    async () => (await countEvents(client, slug)) >= events,
    { timeoutMs: 300_000, everyMs: 1000 },
  );
}

async function startBareServer(): Promise<{ port: number; close(): void }> {
  const child = fork(new URL('bare-server.ts', import.meta.url));
  const [message] = (await once(child, 'message')) as [{ port: number }];
  return { port: message.port, close: () => child.disconnect() };
}

function describeLatency(latency: ReadLatency | undefined): string {
  if (!latency) return '-';
  const failed = latency.failures > 0 ? ` (${latency.failures} failed)` : '';
  return `${latency.p50.toFixed(0)} / ${latency.p95.toFixed(0)}${failed}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
