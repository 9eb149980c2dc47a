// `node test/bench/regroup.ts`: preview, apply and undo of rules over stored events, on the embedded engines, while
// others arrive. ERRATA_BENCH_EVENTS and ERRATA_BENCH_ISSUES say how many.

import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { RulesTable } from '#ingest/rules-table.ts';
import { parseFaultPoints } from '#lib/fault-points.ts';
import { createLog } from '#lib/log.ts';
import { DAY_MS } from '#lib/time.ts';
import { digestFixture } from '#pipeline/fixtures/digest-fixture.ts';
import type { Context } from '#product/context.ts';
import { applyGroupingRules } from '#product/grouping/grouping-rules.ts';
import { previewGroupingRules } from '#product/grouping/preview-grouping-rules.ts';
import { LEASE_MS, runRegroup } from '#product/grouping/run-regroup.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import { migrateClickhouse } from '#storage/clickhouse/migrate.ts';
import { openClickhouse } from '#storage/clickhouse/open-clickhouse.ts';
import { startEmbeddedClickhouse } from '#storage/embedded/start-clickhouse.ts';
import { startEmbeddedPostgres } from '#storage/embedded/start-postgres.ts';
import { openPostgres } from '#storage/postgres/database.ts';
import { createDigestStore } from '#storage/postgres/digest/digest-store.ts';
import { migratePostgres } from '#storage/postgres/migrate.ts';
import { makeJavascriptError } from '../harness/sample-event.ts';
import { storesOver } from '../product/stores-over.ts';
import { multiplyEvents } from './multiply-events.ts';
import { recount } from './recount.ts';

const EVENTS = Number(process.env.ERRATA_BENCH_EVENTS ?? 1_000_000);
const ISSUES = Number(process.env.ERRATA_BENCH_ISSUES ?? 20_000);
const MERGED = ISSUES / 4;
const EVENT_BYTES = 4_000;
const BATCH = 1_000;
const PREVIEWS = 5;
const FLOW_PER_SECOND = 500;
const FLOW_EVERY_MS = 500;
const SETTLE_MS = 10_000;
const MEMORY_BYTES = 1_000_000_000;
const RULES = { fingerprint: 'error.type:Merge* -> merged', stackTrace: '' };

const print = (line: string) => process.stdout.write(`${line}\n`);
const dataDir = mkdtempSync(join(tmpdir(), 'errata-regroup-'));
chmodSync(dataDir, 0o755);
const log = createLog('bench', 'warn');
const [postgres, clickhouse] = await Promise.all([
  startEmbeddedPostgres({ dataDir, log }),
  startEmbeddedClickhouse({ dataDir, memoryBytesMax: MEMORY_BYTES, log }),
]);
const relational = openPostgres(postgres.url, { poolMax: 8 });
const analytic = openClickhouse(clickhouse.url);
await migratePostgres(relational, log);
await migrateClickhouse(analytic, log);
writeFileSync(join(dataDir, 'runtime.json'), JSON.stringify({ clickhouseUrl: clickhouse.url }));
const stores = storesOver(relational, analytic, dataDir);
const organization = await stores.projects.createOrganization({ slug: 'bench', name: 'bench' });
const { project, key } = await stores.projects.createProject({
  organizationId: organization.id,
  slug: 'web',
  name: 'web',
  platform: null,
  isInternal: false,
});
const place = { organizationId: organization.id, projectId: project.id, keyId: key.id };
const digest = createDigestStore(relational.db);
const rulesTable = new RulesTable(stores.ingestSettings, stores.groupingRules, log);
await rulesTable.start();
const ctx: Context = {
  stores,
  organization,
  actor: { kind: 'system' },
  now: Date.now,
  publicUrl: 'http://localhost',
};

await seed();
await multiplyEvents(dataDir, EVENTS, print);
await recount(analytic, relational.db);
const before = await readState();
print(`${before.events} events of ${before.issues.size} issues are stored`);

const flow = startFlow();
const range = { fromMs: Date.now() - 15 * DAY_MS, toMs: Date.now() + DAY_MS };
for (let round = 0; round < PREVIEWS; round++) {
  const preview = await timed('preview', () =>
    previewGroupingRules(ctx, { projectSlug: 'web', texts: RULES, range }),
  );
  print(
    `preview: ${preview.issuesSeen} → ${preview.issuesAfter} issues, ${preview.eventsSeen} events of ${preview.issuesSeen} of ${preview.issuesInPeriod} issues`,
  );
}
const change = await applyGroupingRules(ctx, { projectSlug: 'web', to: 'history', basedOn: 0, rules: RULES });
await timed('apply', work);
await flow.stop();
const after = await readState();
print(`after: ${after.events} events of ${after.issues.size} issues, ${flow.sent()} arrived meanwhile`);
compareCounts(after);

await timed('undo, the map', () => stores.regroups.undo(organization.id, change!.id, null, Date.now()));
await timed('undo, the rows', work);
const undone = await readState();
compareCounts(undone);
const lost = [...before.hashes].filter(([hash, issueId]) => undone.hashes.get(hash) !== issueId);
print(`undo: ${undone.issues.size} issues, ${lost.length} hashes lead elsewhere than before`);
print(`memory of this process: ${Math.round(process.memoryUsage().rss / 1024 ** 2)} MB`);

rulesTable.stop();
await Promise.all([relational.close(), analytic.close()]);
await Promise.all([postgres.stop(), clickhouse.stop()]);
rmSync(dataDir, { recursive: true, force: true });

function makeEvent(issue: number): DigestedEvent {
  const name = `${issue < MERGED ? 'Merge' : 'Other'}${lettersOf(issue)}Error`;
  const sample = makeJavascriptError({ issue: issue % 500, bytes: EVENT_BYTES });
  const [exception] = (sample.exception as { values: object[] }).values;
  const payload = { ...sample, exception: { values: [{ ...exception, type: name }] } };
  return digestFixture(payload, {
    ...place,
    receivedAtMs: Date.now(),
    rules: rulesTable.find(project.id),
  });
}

function lettersOf(number: number): string {
  return [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
}

async function store(events: readonly DigestedEvent[]): Promise<void> {
  const spoolId = randomBytes(8).toString('hex');
  await stores.events.insertEvents(events, spoolId);
  await digest.assign({ spoolId, from: 0, to: events.length }, events, [], [], Date.now());
}

async function seed(): Promise<void> {
  for (let start = 0; start < ISSUES; start += BATCH) {
    await store(
      Array.from({ length: Math.min(BATCH, ISSUES - start) }, (_, index) => makeEvent(start + index)),
    );
  }
}

type State = {
  events: number;
  issues: Map<number, number>;
  hashes: Map<string, number>;
  stored: Map<string, number>;
};

async function readState(): Promise<State> {
  const issues = await sql<{ id: number; times_seen: number }>`SELECT id, times_seen FROM issues`.execute(
    relational.db,
  );
  const hashes = await sql<{ hash: string; issue_id: number }>`
    SELECT hash, issue_id FROM grouping_hashes`.execute(relational.db);
  const stored = await analytic.query<{ hash: string; events: number }>(
    'SELECT grouping_hash AS hash, uniqExact(event_id) AS events FROM events GROUP BY grouping_hash',
    {},
  );
  return {
    events: stored.reduce((sum, { events }) => sum + events, 0),
    issues: new Map(issues.rows.map((row) => [row.id, row.times_seen])),
    hashes: new Map(hashes.rows.map((row) => [row.hash, row.issue_id])),
    stored: new Map(stored.map(({ hash, events }) => [hash, events])),
  };
}

/** What each issue counts is what is stored under its hashes. */
function compareCounts(state: State): void {
  const sums = new Map<number, number>();
  for (const [hash, events] of state.stored) {
    const issueId = state.hashes.get(hash) ?? 0;
    sums.set(issueId, (sums.get(issueId) ?? 0) + events);
  }
  const wrong = [...state.issues].filter(([issueId, timesSeen]) => (sums.get(issueId) ?? 0) !== timesSeen);
  print(
    `${wrong.length} issues count otherwise than what is stored; ${sums.get(0) ?? 0} events without an issue`,
  );
}

function startFlow(): { stop(): Promise<void>; sent(): number } {
  const perTurn = (FLOW_PER_SECOND * FLOW_EVERY_MS) / 1_000;
  let sent = 0;
  let running = Promise.resolve();
  let due = 0;
  const startedAt = Date.now();
  const timer = setInterval(() => {
    // What a slow moment left out is made up for.
    due = Math.floor((Date.now() - startedAt) / FLOW_EVERY_MS);
    running = running.then(async () => {
      while (sent < due * perTurn) {
        const events = Array.from({ length: perTurn }, () => makeEvent(Math.floor(Math.random() * ISSUES)));
        await store(events);
        sent += perTurn;
      }
    });
  }, FLOW_EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
    sent: () => sent,
  };
}

async function work(): Promise<void> {
  const owner = randomBytes(8).toString('hex');
  const job = await stores.regroups.claim(owner, LEASE_MS, Date.now());
  if (!job) throw new Error('There is no job');
  const deps = {
    regroups: stores.regroups,
    regroupEvents: stores.regroupEvents,
    faults: parseFaultPoints(null),
    now: Date.now,
    settleMs: SETTLE_MS,
  };
  if (!(await runRegroup(deps, job, owner))) throw new Error('The job was not finished');
}

async function timed<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  const result = await run();
  print(`${name}: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
  return result;
}
