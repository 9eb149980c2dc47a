// How long searches take over many stored events: `ERRATA_BENCH_EVENTS=5000000 node test/bench/search-latency.ts`.
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ISSUE_SORTS } from '#domain/issues/issue.ts';
import { createLog } from '#lib/log.ts';
import { previewAlertRule } from '#product/alerts/preview/preview-alert-rule.ts';
import type { Context } from '#product/context.ts';
import { listProjectEvents } from '#product/events/list-project-events.ts';
import { getIssueTrend, listIssueEvents } from '#product/issues/issue-events.ts';
import { listIssueTags } from '#product/issues/issue-tags.ts';
import { listIssues } from '#product/issues/list-issues.ts';
import { migrateClickhouse } from '#storage/clickhouse/migrate.ts';
import { openClickhouse } from '#storage/clickhouse/open-clickhouse.ts';
import { startEmbeddedClickhouse } from '#storage/embedded/start-clickhouse.ts';
import { startEmbeddedPostgres } from '#storage/embedded/start-postgres.ts';
import { openPostgres } from '#storage/postgres/database.ts';
import { createDigestStore } from '#storage/postgres/digest/digest-store.ts';
import { migratePostgres } from '#storage/postgres/migrate.ts';
import { storesOver } from '../product/stores-over.ts';
import { percentile } from './generator-process.ts';
import { countStoredEvents, multiplyEvents } from './multiply-events.ts';
import { recount } from './recount.ts';
import { makeSearchSeeds } from './search-seeds.ts';

const EVENTS = Number(process.env.ERRATA_BENCH_EVENTS ?? 1_000_000);
const ROUNDS = Number(process.env.ERRATA_BENCH_ROUNDS ?? 20);
/** A folder that is kept, with the events of an earlier run; a temporary one otherwise. */
const KEPT_DATA_DIR = process.env.ERRATA_BENCH_DATA_DIR;
/** What the embedded engine may allocate: its default. */
const MEMORY_BYTES_MAX = Number(process.env.ERRATA_CLICKHOUSE_MEMORY_BYTES_MAX ?? 512 * 1024 ** 2);

/** As digest stores them. */
const BATCH_EVENTS = 500;
const SLUG = 'bench';

const ISSUE_SEARCHES = [
  'is:unresolved',
  'coupon',
  '"payment invoice"',
  'is:unresolved !session level:error',
  'TypeError OR shipping',
  'is:unresolved release:web@1.7.0',
  'is:unresolved environment:staging',
  'is:unresolved tags[environment]:staging',
  'is:unresolved browser.name:Firefox',
  'customer:"customer 42"',
  'user.email:user77@example.com',
  'error.type:KeyError error.unhandled:true',
  'stack.function:coupon*',
  'device.arch:arm64 environment:production',
  'timesSeen:>100 age:-14d level:[error, fatal]',
];
const EVENT_SEARCHES = [
  '',
  'coupon',
  '"payment invoice"',
  'ledger 499 failed',
  'nothing has this',
  'level:fatal environment:staging',
  'user.email:user77@example.com',
  'customer:"customer 42"',
  'browser.name:Firefox',
  'stack.filename:*ledger*',
];

const ISSUE_RULE = {
  kind: 'issue',
  triggers: ['event'],
  filters: [],
  filterMatch: 'all',
  frequencyMinutes: 30,
  receivers: [{ kind: 'owners', otherwise: 'members' }],
};
const METRIC_RULE = {
  kind: 'metric',
  measure: 'events',
  query: '',
  windowMinutes: 60,
  direction: 'above',
  critical: 1_000,
  warning: null,
  resolve: null,
  receivers: ISSUE_RULE.receivers,
};
const UNHANDLED = { kind: 'attribute', attribute: 'error.unhandled', match: 'is_set', value: '' };
const PREVIEWS: readonly (readonly [name: string, definition: object, environment: string | null])[] = [
  ['new issues', { ...ISSUE_RULE, triggers: ['first_seen'] }, null],
  ['new issues of an environment', { ...ISSUE_RULE, triggers: ['first_seen'] }, 'staging'],
  ['each event', ISSUE_RULE, null],
  ['each event of an environment', ISSUE_RULE, 'staging'],
  ['each event that is unhandled', { ...ISSUE_RULE, filters: [UNHANDLED] }, null],
  [
    'more than 100 events in an hour',
    { ...ISSUE_RULE, filters: [{ kind: 'event_count', above: 100, minutes: 60 }] },
    null,
  ],
  [
    'more than 100 users in a day',
    { ...ISSUE_RULE, filters: [{ kind: 'user_count', above: 100, minutes: 1_440 }] },
    null,
  ],
  ['events an hour', METRIC_RULE, null],
  [
    'users a day, of a search',
    { ...METRIC_RULE, measure: 'users', query: 'level:error', windowMinutes: 1_440 },
    null,
  ],
  ['events in a minute', { ...METRIC_RULE, windowMinutes: 1 }, null],
];

const dataDir = KEPT_DATA_DIR ?? mkdtempSync(path.join(tmpdir(), 'errata-search-bench-'));
mkdirSync(path.join(dataDir, 'blobs'), { recursive: true });
// PostgreSQL runs as another user when this runs as root.
chmodSync(dataDir, 0o755);
const log = createLog('bench', 'warn');
const [postgresEngine, clickhouseEngine] = await Promise.all([
  startEmbeddedPostgres({ dataDir, log }),
  startEmbeddedClickhouse({ dataDir, memoryBytesMax: MEMORY_BYTES_MAX, log }),
]);
const postgres = openPostgres(postgresEngine.url);
const clickhouse = openClickhouse(clickhouseEngine.url);
await migratePostgres(postgres, log);
await migrateClickhouse(clickhouse, log);
writeFileSync(path.join(dataDir, 'runtime.json'), JSON.stringify({ clickhouseUrl: clickhouseEngine.url }));

const stores = storesOver(postgres, clickhouse, path.join(dataDir, 'blobs'));
const organization =
  (await stores.projects.findOrganization(SLUG)) ??
  (await stores.projects.createOrganization({ slug: SLUG, name: SLUG }));
if ((await countStoredEvents(dataDir)) === 0) await fill();
print(`${await countStoredEvents(dataDir)} events are stored`);

const ctx: Context = {
  stores,
  organization,
  actor: { kind: 'system' },
  now: () => Date.now(),
  publicUrl: 'https://errors.example.com',
};
const range = { fromMs: Date.now() - 14 * 86_400_000, toMs: Date.now() };
const all: number[] = [];
for (const query of ISSUE_SEARCHES) {
  const input = { query, projectSlugs: [], sort: 'date', range, cursor: null, limit: 25 } as const;
  all.push(...(await measure(`issues: ${query}`, async () => (await listIssues(ctx, input)).issues.length)));
}
const staging = { environments: ['staging'], range };
for (const sort of ISSUE_SORTS) {
  const input = { ...staging, query: '', projectSlugs: [], sort, cursor: null, limit: 25 };
  all.push(
    ...(await measure(
      `issues of staging, by ${sort}`,
      async () => (await listIssues(ctx, input)).issues.length,
    )),
  );
}
const frequent = await listIssues(ctx, {
  query: '',
  projectSlugs: [],
  sort: 'freq',
  range,
  cursor: null,
  limit: 1,
});
for (const [name, filter] of [
  ['all', { range }],
  ['staging', staging],
  ['one user', { range, query: 'user.email:user77@example.com' }],
] as const) {
  for (const issue of frequent.issues) {
    const trend = { ...filter, range, bucketMs: 86_400_000 / 2 };
    const counted = async () => (await getIssueTrend(ctx, issue, trend)).events;
    all.push(...(await measure(`the most frequent issue, ${name}: events over time`, counted)));
    const tags = async () => (await listIssueTags(ctx, issue, filter)).length;
    all.push(...(await measure(`the most frequent issue, ${name}: tags`, tags)));
    const page = { ...filter, cursor: null, limit: 50 };
    const list = async () => (await listIssueEvents(ctx, issue, page)).events.length;
    all.push(...(await measure(`the most frequent issue, ${name}: a page of events`, list)));
  }
}
for (const query of EVENT_SEARCHES) {
  const input = { projectSlug: SLUG, cursor: null, limit: 25, query };
  all.push(
    ...(await measure(`events: ${query}`, async () => (await listProjectEvents(ctx, input)).events.length)),
  );
}
for (const [name, definition, environment] of PREVIEWS) {
  await measure(`preview: ${name}`, async () => {
    const found = await previewAlertRule(ctx, { projectSlug: SLUG, environment, definition });
    return `${found.firings} ${found.estimates.join(' ')}`;
  });
}
print(
  `all: p50 ${percentile(all, 0.5).toFixed(0)} ms, p95 ${percentile(all, 0.95).toFixed(0)} ms of ${all.length} searches`,
);

await Promise.all([postgres.close(), clickhouse.close()]);
await Promise.all([postgresEngine.stop(), clickhouseEngine.stop()]);
if (!KEPT_DATA_DIR) rmSync(dataDir, { recursive: true, force: true });

/** One event of each issue is stored as digest stores it, and multiplied in the event store. */
async function fill(): Promise<void> {
  const { project } = await stores.projects.createProject({
    organizationId: organization.id,
    slug: SLUG,
    name: SLUG,
    platform: null,
    isInternal: false,
  });
  const seeds = makeSearchSeeds(organization.id, project.id, Date.now());
  for (let from = 0; from < seeds.length; from += BATCH_EVENTS) {
    const batch = seeds.slice(from, from + BATCH_EVENTS);
    await stores.events.insertEvents(batch, randomBytes(8).toString('hex'));
  }
  const stretch = { spoolId: randomBytes(8).toString('hex'), from: 0, to: seeds.length };
  await createDigestStore(postgres.db).assign(stretch, seeds, [], [], Date.now());
  await multiplyEvents(dataDir, EVENTS, print);
  await recount(clickhouse, postgres.db);
  await postgres.pool.query('ANALYZE');
}

/** The first run warms up and does not count. */
async function measure(name: string, search: () => Promise<number | string>): Promise<readonly number[]> {
  const found = await search();
  const tookMs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now();
    await search();
    tookMs.push(performance.now() - startedAt);
  }
  const [p50, p95, max] = [0.5, 0.95, 1].map((share) => percentile(tookMs, share).toFixed(0));
  print(`${name} — ${found} found, p50 ${p50} ms, p95 ${p95} ms, at most ${max} ms`);
  return tookMs;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
