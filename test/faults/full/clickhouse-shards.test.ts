import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openClickhouse } from '#storage/clickhouse/open-clickhouse.ts';
import { openPostgres } from '#storage/postgres/database.ts';
import { type ClickhouseShards, startClickhouseShards } from '../../harness/clickhouse-shards.ts';
import { eventEnvelope, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { readReadiness } from '../../harness/read-health.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { type ErrataServer, startErrata } from '../../harness/start-errata.ts';
import { until } from '../../harness/until.ts';
import { waitUntilReady } from '../../harness/wait-until-ready.ts';

let shards: ClickhouseShards;
let server: ErrataServer;

beforeAll(async () => {
  shards = await startClickhouseShards();
  const url = new URL(shards.url);
  const cluster = url.searchParams.get('cluster')!;
  url.search = '';
  server = await startErrata({
    roles: 'edge,digest',
    env: { CLICKHOUSE_URL: url.href, CLICKHOUSE_CLUSTER: cluster },
  });
}, 300_000);
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await shards?.remove();
});

test('while a shard is down, events wait in the spool; afterwards each is stored and counted once', async () => {
  const dsn = parseDsn(server.dsn!);
  const ids: string[] = [];
  const send = async (count: number) => {
    for (let index = 0; index < count; index++) {
      const event = makeJavascriptError({ issue: index % 10, bytes: 3_000 });
      expect((await postEnvelope(dsn, eventEnvelope(event))).status).toBe(200);
      ids.push(event.event_id);
    }
  };
  await send(30);
  await until('thirty events', async () => (await countEvents()).counted === 30, WAIT);
  const [one, other] = shards.hosts as [string, string];
  expect((await server.cli(['doctor'])).stdout).toMatch(
    new RegExp(`shard 1, ${one}: version .* rows[^]*shard 2, ${other}: version`),
  );
  await shards.kill(other);
  await send(100);
  await until(
    'a health check that names the server',
    async () => {
      const { httpStatus, checks } = await readReadiness(server);
      return (
        httpStatus === 503 && checks.clickhouse?.ok === false && checks.clickhouse.detail.includes(other)
      );
    },
    WAIT,
  );
  expect((await server.cli(['doctor'])).stdout).toContain(`shard 2, ${other} is not responding`);
  await shards.start(other);
  await until('all events', async () => (await countEvents()).counted >= ids.length, WAIT);
  expect(await countEvents()).toEqual({ stored: [...ids].sort(), counted: ids.length });
  await waitUntilReady(server.url);
});

const WAIT = { timeoutMs: 120_000, everyMs: 500 };

/** IDs in the cluster, and how many events the issues count. */
async function countEvents(): Promise<{ stored: string[]; counted: number }> {
  const file = path.join(server.dataDir, 'runtime.json');
  const runtime = JSON.parse(readFileSync(file, 'utf8')) as { databaseUrl: string; clickhouseUrl: string };
  const analytic = openClickhouse(runtime.clickhouseUrl);
  const relational = openPostgres(runtime.databaseUrl, { poolMax: 1 });
  try {
    const { rows } = await relational.pool.query<{ counted: string | null }>(
      'SELECT sum(times_seen) AS counted FROM issues',
    );
    const stored = await analytic.query<{ id: string }>(
      'SELECT toString(event_id) AS id FROM events FINAL ORDER BY id',
      {},
    );
    return { stored: stored.map(({ id }) => id), counted: Number(rows[0]?.counted ?? 0) };
  } finally {
    await Promise.all([analytic.close(), relational.close()]);
  }
}
