import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createApiClient } from '../harness/api-client.ts';
import { eventEnvelope, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { listProcessTree } from '../harness/processes.ts';
import { makeJavascriptError } from '../harness/sample-event.ts';
import { type ErrataServer, startErrata } from '../harness/start-errata.ts';
import { expectExactlyOnce } from '../harness/stored-events.ts';
import { until } from '../harness/until.ts';
import { waitUntilReady } from '../harness/wait-until-ready.ts';

const MIB = 1024 * 1024;

let server: ErrataServer;
let stopped: number[] = [];

afterEach(async () => {
  resume();
  await server[Symbol.asyncDispose]();
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
  beforeEach(async () => {
    server = await startErrata();
  });

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
          const response = await fetch(`${server.url}/health/ready`);
          const body = (await response.json()) as { checks: Record<string, { ok: boolean }> };
          return response.status === 503 && body.checks[role]?.ok === false;
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

describe('when the spool is full', () => {
  const SPOOL_BYTES_MAX = 4 * MIB;

  beforeEach(async () => {
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
