import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createApiClient } from '../../harness/api-client.ts';
import { eventEnvelope, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { IS_FULL } from '../../harness/is-full.ts';
import { listProcessTree } from '../../harness/processes.ts';
import { readReadiness } from '../../harness/read-health.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { type ErrataServer, startErrata } from '../../harness/start-errata.ts';
import { expectExactlyOnce } from '../../harness/stored-events.ts';
import { until } from '../../harness/until.ts';
import { waitUntilReady } from '../../harness/wait-until-ready.ts';

const MIB = 1024 * 1024;

let server: ErrataServer;
let stopped: number[] = [];

beforeAll(async () => {
  server = await startErrata();
});
afterEach(resume);
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

/** Holds a store with everything that it started: it neither answers nor ends. */
async function hold(role: 'postgres' | 'clickhouse'): Promise<void> {
  stopped = listProcessTree([(await server.pids())[role]]);
  for (const pid of stopped) process.kill(pid, 'SIGSTOP');
}

function resume(): void {
  for (const pid of stopped) {
    try {
      process.kill(pid, 'SIGCONT');
    } catch {
      // The server has replaced a store that did not answer.
    }
  }
  stopped = [];
}

describe('while a store does not answer', () => {
  test.each(['postgres', 'clickhouse'] as const)(
    '%s: the edge goes on accepting, afterwards everything is there',
    async (role) => {
      const slug = `down-${role}`;
      const dsn = parseDsn(await server.project(slug));
      const token = await server.token();
      const ids: string[] = [];
      const send = async (count: number) => {
        for (let index = 0; index < count; index++) {
          const event = makeJavascriptError({ issue: index % 10, bytes: 3000 });
          const startedAt = performance.now();
          expect((await postEnvelope(dsn, eventEnvelope(event))).status).toBe(200);
          expect(performance.now() - startedAt).toBeLessThan(2000);
          ids.push(event.event_id);
        }
      };
      await send(20);
      await hold(role);
      await send(200);
      await until(
        'a health check that names the store',
        async () => {
          const { httpStatus, checks } = await readReadiness(server);
          return httpStatus === 503 && checks[role]?.ok === false;
        },
        { timeoutMs: 30_000, everyMs: 500 },
      );
      await send(50);
      resume();
      await expectExactlyOnce(createApiClient(server.url, token), slug, ids, 60_000);
      await waitUntilReady(server.url);
    },
  );
});

test('a ClickHouse that stops listening is reported and started again, and nothing is lost', async () => {
  const slug = `deaf-${Date.now()}`;
  const dsn = parseDsn(await server.project(slug));
  const token = await server.token();
  const before = (await server.pids()).clickhouse;
  const { clickhouseUrl } = JSON.parse(readFileSync(path.join(server.dataDir, 'runtime.json'), 'utf8')) as {
    clickhouseUrl: string;
  };
  const { origin, username, password } = new URL(clickhouseUrl);
  const credentials = Buffer.from(`${username}:${decodeURIComponent(password)}`).toString('base64');
  const answer = await fetch(`${origin}/?user=default`, {
    method: 'POST',
    body: 'SYSTEM STOP LISTEN HTTP',
    headers: { authorization: `Basic ${credentials}` },
  });
  expect([answer.status, await answer.text()]).toEqual([200, '']);
  await until(
    'a health check that names the store',
    async () => (await fetch(`${server.url}/health/ready`)).status === 503,
    { timeoutMs: 5_000, everyMs: 100 },
  );
  const event = makeJavascriptError({ issue: 0, bytes: 3000 });
  expect((await postEnvelope(dsn, eventEnvelope(event))).status).toBe(200);
  await waitUntilReady(server.url);
  expect((await server.pids()).clickhouse).not.toBe(before);
  await expectExactlyOnce(createApiClient(server.url, token), slug, [event.event_id], 60_000);
});

describe('while a store is away for a minute under load', () => {
  const AWAY_MS = IS_FULL ? 60_000 : 6_000;
  const EVENTS_PER_SECOND = 100;

  test.each(['postgres', 'clickhouse'] as const)(
    '%s: every event is answered 200 meanwhile, and stored once afterwards',
    async (role) => {
      const slug = `away-${role}`;
      const dsn = parseDsn(await server.project(slug));
      const token = await server.token();
      const ids: string[] = [];
      const statuses = new Set<number>();
      // A key that the edge has never seen can only be looked up in the store.
      const first = makeJavascriptError({ issue: 0, bytes: 3000 });
      await until('the key', async () => (await postEnvelope(dsn, eventEnvelope(first))).status === 200);
      ids.push(first.event_id);
      await hold(role);
      const endsAt = performance.now() + AWAY_MS;
      while (performance.now() < endsAt) {
        const startedAt = performance.now();
        await Promise.all(
          Array.from({ length: EVENTS_PER_SECOND / 10 }, async (_, index) => {
            const event = makeJavascriptError({ issue: index, bytes: 3000 });
            const { status } = await postEnvelope(dsn, eventEnvelope(event));
            statuses.add(status);
            if (status === 200) ids.push(event.event_id);
          }),
        );
        await new Promise((resolve) =>
          setTimeout(resolve, Math.max(0, 100 - (performance.now() - startedAt))),
        );
      }
      resume();
      const resumedAt = performance.now();
      expect([...statuses]).toEqual([200]);
      await expectExactlyOnce(createApiClient(server.url, token), slug, ids, 120_000);
      await waitUntilReady(server.url);
      const tookMs = Math.round(performance.now() - resumedAt);
      console.log(
        `${role} away for ${AWAY_MS} ms: ${ids.length} events were there ${tookMs} ms after it came back`,
      );
    },
  );
});

describe('when the spool is full', () => {
  const SPOOL_BYTES_MAX = 4 * MIB;

  beforeAll(async () => {
    await server[Symbol.asyncDispose]();
    server = await startErrata({ env: { ERRATA_SPOOL_BYTES_MAX: String(SPOOL_BYTES_MAX) } });
  });

  test('the answer is 503 with Retry-After; once it has drained everything answered 200 is there', async () => {
    const slug = 'full';
    const dsn = parseDsn(await server.project(slug));
    const token = await server.token();
    await hold('clickhouse');
    const ids: string[] = [];
    let refused: Awaited<ReturnType<typeof postEnvelope>> | null = null;
    for (let index = 0; index < 400 && refused === null; index++) {
      const event = makeJavascriptError({ issue: index % 10, bytes: 50_000 });
      const answer = await postEnvelope(dsn, eventEnvelope(event));
      if (answer.status === 200) ids.push(event.event_id);
      else refused = answer;
    }
    expect(refused?.status).toBe(503);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused?.body).toEqual({ detail: expect.stringMatching(/\w{3,}/) });
    expect(ids.length).toBeGreaterThan(10);
    resume();
    const api = createApiClient(server.url, token);
    await expectExactlyOnce(api, slug, ids);
    const later = makeJavascriptError({ issue: 1, bytes: 3000 });
    await until(
      'room in the spool',
      async () => (await postEnvelope(dsn, eventEnvelope(later))).status === 200,
    );
    await expectExactlyOnce(api, slug, [...ids, later.event_id]);
  });
});
