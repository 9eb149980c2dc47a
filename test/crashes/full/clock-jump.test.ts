import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR_MS } from '#lib/time.ts';
import { type ApiEvent, createApiClient } from '../../harness/api-client.ts';
import { eventEnvelope, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { type ErrataServer, ROOT, startErrata } from '../../harness/start-errata.ts';
import { expectExactlyOnce } from '../../harness/stored-events.ts';
import { until } from '../../harness/until.ts';

const JUMPS_MS = [0, 2 * HOUR_MS, -3 * HOUR_MS, 0, 26 * HOUR_MS, 0];

let server: ErrataServer;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'errata-clock-'));
  server = await startErrata({
    env: {
      NODE_OPTIONS: `--import=${pathToFileURL(path.join(ROOT, 'test/harness/shifted-clock.mjs')).href}`,
      CLOCK_SHIFT_FILE: path.join(folder, 'shift'),
    },
  });
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

test("the server's clock jumps to and fro: events go on being accepted, stored once and readable", async () => {
  const slug = 'clock';
  const dsn = parseDsn(await server.project(slug));
  const api = createApiClient(server.url, await server.token());
  const pids = await server.pids();
  const ids: string[] = [];
  for (const shiftMs of JUMPS_MS) {
    writeFileSync(path.join(folder, 'shift'), String(shiftMs));
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (let index = 0; index < 10; index++) {
      const event = makeJavascriptError({ issue: index % 3, bytes: 2_000 });
      expect((await postEnvelope(dsn, eventEnvelope(event))).status).toBe(200);
      ids.push(event.event_id);
    }
    const last = ids.at(-1);
    const stored = await until(`the event over the API, the clock off by ${shiftMs} ms`, async () => {
      const answer = await api.request('GET', `/api/0/projects/main/${slug}/events/${last}/`);
      if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body as ApiEvent;
    });
    // sent_at is right while the server is hours off: the drift rule moves the event to the server's time.
    const expectedMs = Date.now() + shiftMs;
    expect(Math.abs(Date.parse(stored.dateCreated) - expectedMs)).toBeLessThan(60_000);
  }
  await expectExactlyOnce(api, slug, ids);
  expect(await server.pids(), 'no process died').toEqual(pids);
});
