import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createApiClient } from '../../harness/api-client.ts';
import { type Dsn, eventEnvelope, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { poolerMissing, startPgBouncer } from '../../harness/pgbouncer.ts';
import { startPostgresPair, startPostgresServer, urlOfBoth } from '../../harness/postgres-servers.ts';
import { readMetrics } from '../../harness/read-health.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { type ErrataServer, startErrata } from '../../harness/start-errata.ts';
import { expectExactlyOnce } from '../../harness/stored-events.ts';
import { until } from '../../harness/until.ts';
import { waitUntilReady } from '../../harness/wait-until-ready.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function startOver(env: Readonly<Record<string, string>>): Promise<ErrataServer> {
  const server = await startErrata({ env });
  closers.push(() => server[Symbol.asyncDispose]());
  return server;
}

/** Sends events until it is told to stop; answers their ids, and every status. */
function sendSteadily(dsn: Dsn) {
  const ids: string[] = [];
  const statuses = new Set<number>();
  let isOver = false;
  const sending = (async () => {
    for (let index = 0; !isOver; index++) {
      const event = makeJavascriptError({ issue: index % 7, bytes: 2_000 });
      const { status } = await postEnvelope(dsn, eventEnvelope(event));
      statuses.add(status);
      if (status === 200) ids.push(event.event_id);
      await delay(20);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await sending;
      return { ids, statuses };
    },
  };
}

test('the primary dies and its standby is promoted: every role goes on by itself, and nothing is lost', {
  timeout: 300_000,
}, async () => {
  const { primary, standby } = await startPostgresPair();
  closers.push(primary.remove, standby.remove);
  const server = await startOver({ DATABASE_URL: urlOfBoth(primary, standby) });
  const dsn = parseDsn(await server.project('failover'));
  const api = createApiClient(server.url, await server.token());
  const first = makeJavascriptError({ issue: 0, bytes: 2_000 });
  await until('the key', async () => (await postEnvelope(dsn, eventEnvelope(first))).status === 200);
  const before = await server.pids();

  const load = sendSteadily(dsn);
  await delay(3_000);
  await primary.kill();
  await until('a health check that says so', async () => {
    const { status } = await fetch(`${server.url}/health/ready`);
    return status === 503;
  });
  // Events are taken all the same, which is what a load balancer in front of edges asks.
  expect((await fetch(`${server.url}/health/ingest`)).status).toBe(200);
  expect((await api.request('GET', '/api/0/projects/main/failover/')).status).toBe(503);
  await delay(2_000);
  await standby.run('SELECT pg_promote()');
  await waitUntilReady(server.url);
  await delay(2_000);
  const { ids, statuses } = await load.stop();
  expect([...statuses]).toEqual([200]);
  await expectExactlyOnce(api, 'failover', [first.event_id, ...ids], 120_000);
  expect(await server.pids()).toEqual(before);
  // Something new can be made, and each process tells the new server that it is there.
  expect(await server.project('afterwards')).toMatch(/^http/);
  const { stdout } = await server.cli(['status']);
  expect(stdout).toMatch(
    /machine \S+ +digest, edge, jobs, web of \d+\.\d+\.\d+[\w.-]*, its clock is \d+ ms (ahead|behind)/,
  );
  expect(await readMetrics(server)).toMatch(
    /errata_machine_clock_ahead_seconds\{machine="\S+",role="jobs"\} -?0/,
  );
});

test('everything works through a pooler in transaction mode', { timeout: 300_000 }, async ({ skip }) => {
  const missing = poolerMissing();
  if (missing !== null) return skip(missing);
  const postgres = await startPostgresServer();
  closers.push(postgres.remove);
  const pooler = await startPgBouncer(postgres);
  closers.push(pooler.stop);
  const server = await startOver({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: postgres.url });
  const dsn = parseDsn(await server.project('pooled'));
  const api = createApiClient(server.url, await server.token());
  await waitUntilReady(server.url);
  const load = sendSteadily(dsn);
  await delay(4_000);
  const { ids } = await load.stop();
  expect(ids.length).toBeGreaterThan(10);
  await expectExactlyOnce(api, 'pooled', ids, 120_000);
  // What needs a session goes around the pooler: whoever listens, and the lock of digest while it stores.
  const { rows } = await postgres.run(
    `SELECT count(*)::int AS listeners FROM pg_stat_activity WHERE query LIKE 'LISTEN %' OR query = 'SELECT 1'`,
  );
  expect(rows[0]).toMatchObject({ listeners: expect.any(Number) });
  const doctor = await server.cli(['doctor']);
  expect(doctor.stdout).toMatch(/ok +PostgreSQL: version 18/);
  await server.stop();
  const { rows: held } = await postgres.run(
    `SELECT count(*)::int AS held FROM pg_locks WHERE locktype = 'advisory'`,
  );
  expect(held).toEqual([{ held: 0 }]);
});
