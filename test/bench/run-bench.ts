// `npm run bench`: what the server takes, stores and shows on this machine. Everything runs here: server, stores, load.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, type ApiIssue, createApiClient } from '../harness/api-client.ts';
import { type Dsn, parseDsn } from '../harness/envelope.ts';
import { startErrata } from '../harness/start-errata.ts';
import { countEvents } from '../harness/stored-events.ts';
import { until } from '../harness/until.ts';
import { GeneratorProcess, type LoadResult } from './generator-process.ts';
import { type MemoryByPart, readCpu, readMemory } from './measure-processes.ts';
import { measureReads, openSession, type ReadLatency } from './read-latency.ts';

const SECONDS = Number(process.env.ERRATA_BENCH_SECONDS ?? 60);
const ACCEPT_SECONDS = Math.min(5, SECONDS);
const ACCEPT_ROUNDS = 3;
const CONNECTIONS = 64;
const ISSUES = 200;
/** What may be under way between the answer and the page: enough that digest never waits for the load. */
const BACKLOG_BYTES = 30_000_000;
/** How often the server's own count of digested events is asked for; it is half a second old at most. */
const FOLLOW_INTERVAL_MS = 100;
const IDLE_MS = 10_000;
const SIZES = [5_000, 50_000] as const;
/** A rate that a busy installation has; the reads beside it are what people feel. */
const STEADY_PER_SECOND = 1_500;
/** The accept floods take longest. */
const HAS_FLOODS = process.env.ERRATA_BENCH_PARTS !== 'end-to-end';

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

type Result = { eventBytes: number; accept: Accept; acceptWithDigestHeld: Accept; endToEnd: EndToEnd };

await using server = await startErrata({ env: { ERRATA_LOG_LEVEL: 'warn' } });
const token = await server.token();
const api = createApiClient(server.url, token);
const cookie = await openSession(server.url);
await sleep(IDLE_MS);
const idleMemoryMb = await readMemory(server);
print(`ready after ${(server.readyAfterMs / 1000).toFixed(1)} s, idle ${idleMemoryMb.total} MB`);

const bare = await startBareServer();
const generator = await GeneratorProcess.open();
// The floods come last: what they leave in memory is not what a load that can be kept up needs.
const endToEnds: EndToEnd[] = [];
await benchEndToEnd(SIZES[0], STEADY_PER_SECOND);
for (const eventBytes of SIZES) endToEnds.push(await benchEndToEnd(eventBytes, null));
const results: Result[] = [];
for (const [index, eventBytes] of SIZES.entries()) {
  const endToEnd = endToEnds[index];
  if (!HAS_FLOODS || !endToEnd) break;
  const accept = await benchAccept(eventBytes, false);
  const acceptWithDigestHeld = await benchAccept(eventBytes, true);
  results.push({ eventBytes, accept, acceptWithDigestHeld, endToEnd });
}
generator.close();
bare.close();
if (results.length > 0) report();

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
    const result = await runLoad(Number(new URL(server.url).port), dsn, eventBytes);
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
  generator.start({
    port,
    projectId: dsn.projectId,
    publicKey: dsn.publicKey,
    eventBytes,
    issues: ISSUES,
    connections: CONNECTIONS,
    allowance: null,
  });
  await sleep(ACCEPT_SECONDS * 1000);
  return generator.stop();
}

/**
 * (b), (c), (d): the load follows what has become readable, so that what is measured can be kept up; at most
 * `perSecondMax`, or as fast as it goes for null.
 */
async function benchEndToEnd(eventBytes: number, perSecondMax: number | null): Promise<EndToEnd> {
  const slug = `end-to-end-${eventBytes}-${perSecondMax ?? 'max'}`;
  const dsn = parseDsn(await server.project(slug));
  const backlogEvents = Math.round(BACKLOG_BYTES / eventBytes);
  const digestedBefore = await countDigested();
  generator.start({
    port: Number(new URL(server.url).port),
    projectId: dsn.projectId,
    publicKey: dsn.publicKey,
    eventBytes,
    issues: ISSUES,
    connections: CONNECTIONS,
    allowance: perSecondMax === null ? backlogEvents : 0,
  });
  const startedAt = performance.now();
  const follower = new AbortController();
  let digested = 0;
  const following = (async () => {
    while (!follower.signal.aborted) {
      digested = (await countDigested()) - digestedBefore;
      const scheduled = ((performance.now() - startedAt) / 1000) * (perSecondMax ?? Number.POSITIVE_INFINITY);
      generator.allow(Math.floor(Math.min(digested + backlogEvents, scheduled)));
      await sleep(FOLLOW_INTERVAL_MS);
    }
  })();
  await until('the first events', () => digested > Math.min(backlogEvents, 2_000), { timeoutMs: 60_000 });

  const issues = await api.get<ApiIssue[]>(`/api/0/projects/main/${slug}/issues/?query=&limit=100`);
  const readers = new AbortController();
  const reading = measureReads({ url: server.url, token, slug, cookie, issues }, readers.signal);
  const memories: MemoryByPart[] = [];
  const cpuBefore = await readCpu(server);
  const from = { at: performance.now(), events: await countEvents(api, slug) };
  while (performance.now() - from.at < SECONDS * 1000) {
    memories.push(await readMemory(server));
    await sleep(2000);
  }
  const to = { at: performance.now(), events: await countEvents(api, slug) };
  const cpuAfter = await readCpu(server);
  readers.abort();
  follower.abort();
  const [reads] = await Promise.all([reading, following]);
  const { answered } = await generator.stop();
  await waitUntilStored(api, slug, answered);

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
  const pace = perSecondMax === null ? 'as fast as it goes' : `at ${perSecondMax}/s`;
  print(`end to end ${eventBytes} B, ${pace}: ${endToEnd.perSecond.toFixed(0)}/s`);
  for (const [name, latency] of Object.entries(reads))
    print(`  ${name}, p50 / p95 ms: ${describeLatency(latency)}`);
  print(`  memory, MB: ${JSON.stringify(endToEnd.memoryMb)}`);
  print(`  CPU, s: ${JSON.stringify(endToEnd.cpuSeconds)} for ${endToEnd.events} events`);
  return endToEnd;
}

/** Events that digest has finished since its start, by the server's metrics. */
async function countDigested(): Promise<number> {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  const match = /^errata_digest_events(?:_total)? (\d+)$/m.exec(metrics);
  if (!match) throw new Error('The metrics do not tell how many events were digested');
  return Number(match[1]);
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

function report(): void {
  const rows: [string, ...string[]][] = [['', ...results.map((one) => `${one.eventBytes / 1000} KB`)]];
  const add = (name: string, value: (one: Result) => string) => rows.push([name, ...results.map(value)]);
  add('accept, envelopes/s', (one) => one.accept.perSecond.toFixed(0));
  add('  bare node:http, requests/s', (one) => one.accept.barePerSecond.toFixed(0));
  add('  ratio', (one) => one.accept.ratio.toFixed(2));
  add('  p50 / p95, ms', (one) => `${one.accept.p50Ms.toFixed(1)} / ${one.accept.p95Ms.toFixed(1)}`);
  add('accept with digest held, envelopes/s', (one) => one.acceptWithDigestHeld.perSecond.toFixed(0));
  add('  ratio', (one) => one.acceptWithDigestHeld.ratio.toFixed(2));
  add('  memory at the end of the flood, MB', (one) => String(one.accept.memoryMb.total ?? 0));
  add('end to end, events/s', (one) => one.endToEnd.perSecond.toFixed(0));
  for (const name of Object.keys(results[0]?.endToEnd.reads ?? {})) {
    add(`  ${name}, p50 / p95 ms`, (one) => describeLatency(one.endToEnd.reads[name]));
  }
  for (const part of Object.keys(idleMemoryMb)) {
    rows.push([
      `memory ${part}, MB (idle → load)`,
      ...results.map((one) => `${idleMemoryMb[part] ?? 0} → ${one.endToEnd.memoryMb[part] ?? 0}`),
    ]);
  }
  for (const part of Object.keys(results[0]?.endToEnd.cpuSeconds ?? {})) {
    add(`CPU ${part}, s per 1,000 events`, (one) =>
      (((one.endToEnd.cpuSeconds[part] ?? 0) / one.endToEnd.events) * 1000).toFixed(3),
    );
  }
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, ...values] of rows) {
    print(`${name.padEnd(width)}  ${values.map((value) => value.padStart(16)).join('')}`);
  }
  print(
    JSON.stringify({
      cores: cpus().length,
      node: process.version,
      readyAfterMs: Math.round(server.readyAfterMs),
      idleMemoryMb,
      results,
    }),
  );
}

function describeLatency(latency: ReadLatency | undefined): string {
  if (!latency) return '-';
  const failed = latency.failures > 0 ? ` (${latency.failures} failed)` : '';
  return `${latency.p50.toFixed(0)} / ${latency.p95.toFixed(0)}${failed}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
