// The list of users and searches among 100,000 of them (or ERRATA_BENCH_USERS), who have a million errors and as many transactions of one day:
// `node bin/run-built.mjs test/bench/users-speed.ts`. Each question with and without the rows in the order of users (decision 57).
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ClickhouseDatabase } from '#storage/clickhouse/client.ts';
import { openClickhouse } from '#storage/clickhouse/open-clickhouse.ts';
import { createUserActivityStore } from '#storage/clickhouse/users/user-activity-store.ts';
import type { UserKey } from '#storage/ports/user-activity.ts';
import { createApiClient } from '../harness/api-client.ts';
import { parseDsn } from '../harness/envelope.ts';
import { startErrata } from '../harness/start-errata.ts';
import { percentile } from './generator-process.ts';

const ROWS = Number(process.env.ERRATA_BENCH_EVENTS ?? 1_000_000);
const USERS = Number(process.env.ERRATA_BENCH_USERS ?? 100_000);
const ROWS_PER_INSERT = 25_000;
const ROUNDS = 9;
const DAY_MS = 86_400_000;
const FILL_MEMORY_BYTES = 2_000_000_000;

await using server = await startErrata({
  env: { ERRATA_CLICKHOUSE_MEMORY_BYTES_MAX: String(FILL_MEMORY_BYTES) },
});
const { clickhouseUrl } = JSON.parse(readFileSync(path.join(server.dataDir, 'runtime.json'), 'utf8')) as {
  clickhouseUrl: string;
};
const database = openClickhouse(clickhouseUrl);
const projectId = Number(parseDsn(await server.project('used')).projectId);
const api = createApiClient(server.url, await server.token());
const organizationId = Number((await api.get<{ id: string }>('/api/0/organizations/main/')).id);
await fill();

const scope = { organizationId, projectIds: [projectId] };
const toMs = Date.now();
const range = { fromMs: toMs - DAY_MS, toMs };
for (const [name, text, key, isQuick] of [
  ['the list', '', null, false],
  ['part of one email address', 'user4242@', null, false],
  ['part of all', 'example', null, false],
  ['part of none', 'nobody', null, false],
  ['one email address', '', { kind: 'email', value: 'user4242@example.com' }, false],
  ['suggested for part of some', 'user42', null, true],
] as const satisfies readonly (readonly [string, string, UserKey | null, boolean])[]) {
  const times: string[] = [];
  for (const settings of ['optimize_use_projections = 0', 'optimize_use_projections = 1']) {
    const store = createUserActivityStore(withSettings(settings));
    const tookMs: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const askedAt = performance.now();
      await store.listUsers(scope, { range, environments: [], text, key, limit: isQuick ? 9 : 101, isQuick });
      tookMs.push(performance.now() - askedAt);
    }
    times.push(`${percentile(tookMs, 0.5).toFixed(0)} (${Math.min(...tookMs).toFixed(0)}) ms`);
  }
  print(`${name}: ${times.join(' → ')}`);
}
await database.close();

/** Each user has about ten errors and ten transactions, at any time of the last 23 hours. */
async function fill(): Promise<void> {
  const user = `toString(sipHash64(n, 'user') % ${USERS}) AS name`;
  const moment = `now64(3, 'UTC') - toIntervalMillisecond(sipHash64(n, 'at') % 82800000) AS at`;
  const names = `name, concat('user', name, '@example.com'), if(n % 4 = 0, concat('login', name), ''), concat('10.0.', toString(n % 200), '.', toString(n % 7))`;
  const columns = 'user_id, user_email, user_username, user_ip';
  for (let from = 0; from < ROWS; from += ROWS_PER_INSERT) {
    const numbers = `(SELECT number + ${from} AS n, ${user}, ${moment} FROM system.numbers LIMIT ${ROWS_PER_INSERT})`;
    const ids = `${organizationId}, ${projectId}, lower(hex(sipHash128(n)))`;
    await database.write(
      `INSERT INTO events (organization_id, project_id, event_id, grouping_hash, type, level, occurred_at, received_at, ${columns})
       SELECT ${ids}, lower(hex(sipHash128(n % 500, 'group'))), 'error', 'error', at, at, ${names} FROM ${numbers}`,
      {},
    );
    await database.write(
      `INSERT INTO transactions (organization_id, project_id, event_id, trace_id, span_id, name, started_at, ended_at, received_at, ${columns})
       SELECT ${ids}, lower(hex(sipHash128(n, 'trace'))), '0123456789abcdef', '/cart', at, at, at, ${names} FROM ${numbers}`,
      {},
    );
  }
}

/** Statements of the store end with their settings. */
function withSettings(settings: string): ClickhouseDatabase {
  return { ...database, query: (sql, params) => database.query(`${sql}, ${settings}`, params) };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
