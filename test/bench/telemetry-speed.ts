// Questions about many spans and log lines, traces and live tail, while more arrive: `node bin/run-built.mjs test/bench/telemetry-speed.ts`.
// ERRATA_BENCH_SPANS and ERRATA_BENCH_LOGS are 1 million each; ERRATA_BENCH_ROUNDS=0 leaves out the questions; ERRATA_BENCH_DATA_DIR keeps what was filled for the next run.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { ClickhouseDatabase } from '#storage/clickhouse/client.ts';
import { openClickhouse } from '#storage/clickhouse/open-clickhouse.ts';
import { type ApiClient, createApiClient } from '../harness/api-client.ts';
import { launchChromium } from '../harness/browser.ts';
import { type Dsn, newEventId, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { signIn } from '../harness/sign-in.ts';
import { type ErrataServer, makeDataDir, startErrata } from '../harness/start-errata.ts';
import { FILLED_DAYS, fillTelemetry } from './fill-telemetry.ts';
import { percentile } from './generator-process.ts';
import { readMemory } from './measure-processes.ts';
import { makeLine, startTelemetryLoad } from './telemetry-load.ts';

const SPANS = Number(process.env.ERRATA_BENCH_SPANS ?? 1_000_000);
const LOGS = Number(process.env.ERRATA_BENCH_LOGS ?? 1_000_000);
const KEPT_DATA_DIR = process.env.ERRATA_BENCH_DATA_DIR;
const ROUNDS = Number(process.env.ERRATA_BENCH_ROUNDS ?? 5);
const PROJECTS = 10;
const ITEMS_PER_SECOND = 1_000;
const WARM_UP_MS = 10_000;
const TRACES = 200;
const LINES = 20;
const LINE_SEEN_WITHIN_MS = 20_000;
const MEMORY_EVERY_MS = 2_000;
/** While it is filled; what is measured has the default. */
const FILL_MEMORY_BYTES = 4_000_000_000;
const TABLES = ['spans', 'logs'] as const;

const NUMBERS = ['count()', 'p50(span.duration)', 'p95(span.duration)', 'failure_rate()'];
/** Name → dataset, fields, search; and whether it is drawn over time instead. */
const QUESTIONS: Readonly<Record<string, Question>> = {
  'all spans': { dataset: 'spans', fields: NUMBERS },
  'all spans by operation': { dataset: 'spans', fields: ['span.op', ...NUMBERS] },
  transactions: { dataset: 'spans', fields: NUMBERS, query: 'is_transaction:true' },
  'transactions by name': {
    dataset: 'spans',
    fields: ['transaction', ...NUMBERS],
    query: 'is_transaction:true',
  },
  'transactions over time': {
    dataset: 'spans',
    fields: NUMBERS.slice(0, 1),
    query: 'is_transaction:true',
    isChart: true,
  },
  'spans by release and environment': { dataset: 'spans', fields: ['release', 'environment', ...NUMBERS] },
  'spans of one operation by description': {
    dataset: 'spans',
    fields: ['span.description', ...NUMBERS],
    query: 'span.op:http.client',
  },
  'spans by an attribute': { dataset: 'spans', fields: ['cloud.region', ...NUMBERS] },
  'spans where an attribute has a value': {
    dataset: 'spans',
    fields: NUMBERS,
    query: 'cloud.region:eu-west-1',
  },
  'the newest spans': {
    dataset: 'spans',
    fields: ['span.op', 'span.description', 'span.duration'],
    sort: '-timestamp',
  },
  'the slowest spans': {
    dataset: 'spans',
    fields: ['span.op', 'span.description', 'span.duration'],
    sort: '-span.duration',
  },
  'all lines': { dataset: 'logs', fields: ['count()'] },
  'lines by severity': { dataset: 'logs', fields: ['severity', 'count()'] },
  'lines by severity over time': { dataset: 'logs', fields: ['count()'], isChart: true, top: 'severity' },
  'lines by an attribute': { dataset: 'logs', fields: ['logger', 'count()', 'p95(took_ms)'] },
  'lines with a word': { dataset: 'logs', fields: ['count()'], query: 'payment' },
  'the newest lines': { dataset: 'logs', fields: ['message', 'severity'], sort: '-timestamp' },
  'the newest lines with a word': {
    dataset: 'logs',
    fields: ['message', 'severity'],
    sort: '-timestamp',
    query: 'payment',
  },
};

type Question = {
  dataset: (typeof TABLES)[number];
  fields: readonly string[];
  query?: string;
  sort?: string;
  isChart?: boolean;
  top?: string;
};

const dataDir = KEPT_DATA_DIR ?? makeDataDir();
if (!existsSync(path.join(dataDir, 'postgres'))) await prepare();
const server = await startErrata({ dataDir });
const database = openOf(server);
const api = createApiClient(server.url, await server.token());
const dsns = await readDsns();
await sleep(WARM_UP_MS);
print(`stored: ${await describeStored()}`);
print(`memory at idle, MB: ${JSON.stringify(await readMemory(server))}`);
await askAll('nothing else');

const load = startTelemetryLoad(dsns, ITEMS_PER_SECOND);
const memory = followMemory();
const startedAt = performance.now();
await sleep(WARM_UP_MS);
await askAll(`${ITEMS_PER_SECOND} items/s arrive`);
await measureTraces();
await measureTail();
const sent = await load.stop();
print(`${Math.round(sent / ((performance.now() - startedAt) / 1_000))} items/s were sent`);
print(`memory, the most, MB: ${JSON.stringify(await memory.stop())}`);
await database.close();
if (KEPT_DATA_DIR) await server.stop();
else await server[Symbol.asyncDispose]();

/** Makes the projects, fills the store, and merges what two hours without writes would merge. */
async function prepare(): Promise<void> {
  const filling = await startErrata({
    dataDir,
    env: { ERRATA_CLICKHOUSE_MEMORY_BYTES_MAX: String(FILL_MEMORY_BYTES) },
  });
  const dsns: Dsn[] = [];
  for (let index = 0; index < PROJECTS; index++)
    dsns.push(parseDsn(await filling.project(`service-${index}`)));
  const store = openOf(filling);
  const client = createApiClient(filling.url, await filling.token());
  const { id } = await client.get<{ id: string }>('/api/0/organizations/main/');
  const at = { organizationId: Number(id), projectIds: dsns.map(({ projectId }) => Number(projectId)) };
  await fillTelemetry(store, at, { spans: SPANS, logs: LOGS }, print);
  await mergeDays(store);
  await store.close();
  await filling.stop();
}

async function mergeDays(store: ClickhouseDatabase): Promise<void> {
  const days = await store.query<{ table: string; day: string }>(
    `SELECT DISTINCT table, partition_id AS day FROM system.parts
     WHERE database = currentDatabase() AND active AND table IN ('spans', 'logs') AND partition_id < toString(toYYYYMMDD(now('UTC')))`,
    {},
  );
  for (const { table, day } of days)
    await store.write(
      `OPTIMIZE TABLE ${table} PARTITION ID '${day}' FINAL SETTINGS optimize_skip_merged_partitions = 1`,
      {},
    );
}

async function readDsns(): Promise<readonly Dsn[]> {
  const found: Dsn[] = [];
  for (let index = 0; index < PROJECTS; index++) {
    const { stdout } = await server.cli(['dsn', `service-${index}`]);
    found.push(parseDsn(stdout.trim()));
  }
  return found;
}

async function describeStored(): Promise<string> {
  const rows = await database.query<{ table: string; rows: number; bytes: number; parts: number }>(
    `SELECT table, sum(parts.rows) AS rows, sum(bytes_on_disk) AS bytes, count() AS parts FROM system.parts AS parts
     WHERE database = currentDatabase() AND active AND table IN ('spans', 'logs') GROUP BY table ORDER BY table`,
    {},
  );
  return rows
    .map(
      ({ table, rows, bytes, parts }) =>
        `${rows} ${table} in ${parts} parts, ${(bytes / rows).toFixed(1)} bytes each`,
    )
    .join('; ');
}

/** Each question over fourteen days and over one. */
async function askAll(meanwhile: string): Promise<void> {
  if (ROUNDS === 0) return;
  for (const [name, question] of Object.entries(QUESTIONS)) {
    const times: string[] = [];
    for (const days of [FILLED_DAYS, 1]) times.push(await ask(api, question, days));
    print(`${meanwhile}: ${name}: ${FILLED_DAYS} days ${times[0]}, one day ${times[1]}`);
  }
}

/** The median and the worst, in ms, or why there is no answer. */
async function ask(client: ApiClient, question: Question, days: number): Promise<string> {
  const { dataset, fields, query, sort, isChart, top } = question;
  const parameters = new URLSearchParams({
    dataset,
    statsPeriod: `${days}d`,
    per_page: '50',
    sort: sort ?? '-count()',
  });
  for (const field of fields) parameters.append(isChart ? 'yAxis' : 'field', field);
  if (query) parameters.set('query', query);
  if (isChart) parameters.set('interval', days === 1 ? '30m' : '6h');
  if (top) {
    parameters.set('topEvents', '5');
    parameters.set('groupBy', top);
    parameters.set('excludeOther', '1');
  }
  const address = `/api/0/organizations/main/${isChart ? 'events-timeseries' : 'events'}/?${parameters}`;
  const tookMs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const askedAt = performance.now();
    const { status, body } = await client.request('GET', address);
    if (status !== 200) return `${status}: ${JSON.stringify(body).slice(0, 120)}`;
    tookMs.push(performance.now() - askedAt);
  }
  return `${percentile(tookMs, 0.5).toFixed(0)} (${Math.max(...tookMs).toFixed(0)}) ms`;
}

/** Pages of traces of any day, asked for by a program. */
async function measureTraces(): Promise<void> {
  const traces = await database.query<{ trace: string }>(
    `SELECT DISTINCT trace_id AS trace FROM spans WHERE cityHash64(trace_id) % 997 = 0 LIMIT ${TRACES}`,
    {},
  );
  await using browser = await launchChromium();
  const cookies = await (await signIn(browser, server.url)).context().cookies();
  const headers = { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') };
  const tookMs: number[] = [];
  for (const { trace } of traces) {
    const askedAt = performance.now();
    const response = await fetch(`${server.url}/main/traces/${trace}`, { headers, redirect: 'manual' });
    const html = await response.text();
    if (response.status !== 200 || !html.includes('Spans'))
      throw new Error(`The trace answered ${response.status}`);
    tookMs.push(performance.now() - askedAt);
  }
  print(`trace page of ${traces.length} traces, p50 / p95 ms: ${spread(tookMs)}`);
}

/** From sending a line to its place on the page that follows a search: without one, others push it out of sight. */
async function measureTail(): Promise<void> {
  await using browser = await launchChromium();
  const page = await signIn(browser, server.url);
  await page.goto(`${server.url}/main/explore/logs?query=marked`);
  await page.getByRole('button', { name: 'Live tail' }).click();
  await page.getByRole('region', { name: 'Live tail' }).waitFor();
  const tookMs: number[] = [];
  for (let line = 0; line < LINES; line++) tookMs.push(await followLine(page));
  print(`live tail of a search, p50 / p95 ms: ${spread(tookMs)}`);
}

async function followLine(page: Page): Promise<number> {
  const body = `marked ${newEventId()}`;
  await sleep(Math.random() * 1_000);
  // Looked for in the page: a locator that waits looks twice a second.
  const seen = page.evaluate(
    ([text, withinMs]) =>
      new Promise<void>((resolve, reject) => {
        const tail = document.querySelector('section[aria-label="Live tail"]');
        const until = Date.now() + withinMs;
        const look = () => {
          if (tail?.textContent?.includes(text)) resolve();
          else if (Date.now() > until) reject(new Error(`The line ${text} was not seen`));
          else setTimeout(look, 10);
        };
        look();
      }),
    [body, LINE_SEEN_WITHIN_MS] as const,
  );
  const sentAt = performance.now();
  await postEnvelope(dsns[0]!, makeLine(body));
  await seen;
  return performance.now() - sentAt;
}

function followMemory() {
  let isOver = false;
  let most: Awaited<ReturnType<typeof readMemory>> = {};
  const following = (async () => {
    while (!isOver) {
      const now = await readMemory(server);
      if ((now.total ?? 0) > (most.total ?? 0)) most = now;
      await sleep(MEMORY_EVERY_MS);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await following;
      return most;
    },
  };
}

function openOf({ dataDir }: ErrataServer): ClickhouseDatabase {
  const { clickhouseUrl } = JSON.parse(readFileSync(path.join(dataDir, 'runtime.json'), 'utf8')) as {
    clickhouseUrl: string;
  };
  return openClickhouse(clickhouseUrl);
}

function spread(values: readonly number[]): string {
  return `${percentile(values, 0.5).toFixed(0)} / ${percentile(values, 0.95).toFixed(0)}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
