import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiClient } from '../../harness/api-client.ts';
import { type Dsn, eventEnvelope, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { type ErrataServer, type Role, startErrata } from '../../harness/start-errata.ts';
import { until } from '../../harness/until.ts';
import { waitUntilReady } from '../../harness/wait-until-ready.ts';

const VICTIMS: readonly Role[] = ['edge', 'digest', 'web', 'postgres', 'clickhouse'];
const RECOVERS_MS_MAX = 20_000;
const SLUG = 'recovery';

let server: ErrataServer;
let dsn: Dsn;
let token: string;

beforeAll(async () => {
  server = await startErrata();
  dsn = parseDsn(await server.project(SLUG));
  token = await server.token();
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

test.each(VICTIMS)('after kill -9 of %s events are soon accepted and readable again', async (role) => {
  const api = createApiClient(server.url, token);
  await waitUntilReady(server.url);
  process.kill((await server.pids())[role], 'SIGKILL');
  const killedAt = performance.now();
  const event = makeJavascriptError({ issue: 1, bytes: 3_000 });
  const options = { timeoutMs: RECOVERS_MS_MAX, everyMs: 20 };
  const send = () => postEnvelope(dsn, eventEnvelope(event));
  await until('an event to be accepted', async () => (await send()).status === 200, options);
  const acceptedMs = performance.now() - killedAt;
  const address = `/api/0/projects/main/${SLUG}/events/${event.event_id}/`;
  await until('it to be readable', async () => (await api.request('GET', address)).status === 200, options);
  const readableMs = performance.now() - killedAt;
  console.log(
    `${role}: accepts after ${Math.round(acceptedMs)} ms, readable after ${Math.round(readableMs)} ms`,
  );
  expect(readableMs).toBeLessThan(RECOVERS_MS_MAX);
  // Whoever noticed late that the part was gone has noticed by then.
  await sleep(1_000);
  await waitUntilReady(server.url);
});
