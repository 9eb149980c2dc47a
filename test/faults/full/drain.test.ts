import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { authHeader, type Dsn, eventEnvelope, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { type ErrataServer, startErrata } from '../../harness/start-errata.ts';
import { until } from '../../harness/until.ts';

const DRAIN_SECONDS = 3;

let server: ErrataServer;
afterAll(() => server?.[Symbol.asyncDispose]());

test('a stop is seen coming, takes no new requests then, and lets those in progress end', {
  timeout: 240_000,
}, async () => {
  server = await startErrata({
    env: { ERRATA_DRAIN_SECONDS: String(DRAIN_SECONDS), ERRATA_STOP_GRACE_SECONDS: '60' },
  });
  const dsn = parseDsn(await server.project('drained'));
  const send = () =>
    postEnvelope(dsn, eventEnvelope(makeJavascriptError({ issue: 0, bytes: 2_000 }))).then(
      ({ status }) => status,
      () => 'refused',
    );
  await until('the key', async () => (await send()) === 200);
  const slow = startSlowly(dsn);
  await delay(500);

  const stoppedAt = performance.now();
  process.kill(server.pid, 'SIGTERM');
  const health = async (path: string) => {
    const answer = await fetch(`${server.url}${path}`);
    await answer.arrayBuffer();
    return answer.status;
  };
  await until('a health check that says so', async () => (await health('/health/ready')) === 503, {
    everyMs: 20,
  });
  expect(await health('/health/ingest')).toBe(503);
  expect(await health('/health/live')).toBe(200);
  expect(await send()).toBe(200);
  expect(await health('/login')).toBe(200);
  await until('nothing new is taken', async () => (await send()) === 'refused', { everyMs: 100 });
  // Longer than a stop took before it waited for anything.
  await delay(2_000);
  expect(await slow.finish()).toBe(200);
  await until('its end', () => server.output().includes('Errata has stopped.'), { timeoutMs: 50_000 });
  expect(performance.now() - stoppedAt).toBeGreaterThan(DRAIN_SECONDS * 1_000);
});

/** An event of which half has been sent; answers the status once the rest is. */
function startSlowly(dsn: Dsn): { finish(): Promise<number> } {
  const body = Buffer.from(eventEnvelope(makeJavascriptError({ issue: 1, bytes: 2_000 })));
  const half = Math.floor(body.length / 2);
  const sent = request(`${dsn.origin}/api/${dsn.projectId}/envelope/`, {
    method: 'POST',
    agent: false,
    headers: { 'x-sentry-auth': authHeader(dsn), 'content-length': body.length },
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  answered.catch(() => {});
  sent.write(body.subarray(0, half));
  return {
    async finish() {
      sent.end(body.subarray(half));
      const [response] = await answered;
      response.resume();
      return response.statusCode ?? 0;
    },
  };
}
