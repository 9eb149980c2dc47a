import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiClient } from '../../harness/api-client.ts';
import { eventEnvelope, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { findEvent } from '../../harness/find-event.ts';
import { makeJavascriptError, type SampleEvent } from '../../harness/sample-event.ts';
import { type ErrataServer, runCli, startErrata } from '../../harness/start-errata.ts';
import { countEvents, expectExactlyOnce } from '../../harness/stored-events.ts';
import { until } from '../../harness/until.ts';

const THROWING = 'poison-that-throws';
const KILLING = 'poison-that-kills';
const GOOD_EVENTS = 150;

let server: ErrataServer;

beforeAll(async () => {
  server = await startErrata({
    env: { ERRATA_FAULT_POINTS: `digest-item=${THROWING},digest-item:kill=${KILLING}` },
  });
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

test('an item that fails three times is set aside with its reason, everything else flows, and it can be replayed', async () => {
  const slug = 'poison';
  const dsn = parseDsn(await server.project(slug));
  const api = createApiClient(server.url, await server.token());
  const good = Array.from({ length: GOOD_EVENTS }, (_, index) =>
    makeJavascriptError({ issue: index % 7, bytes: 2000 }),
  );
  const throwing = makePoison(THROWING);
  const killing = makePoison(KILLING);
  const order = [...good.slice(0, 50), throwing, ...good.slice(50, 100), killing, ...good.slice(100)];
  for (const event of order) {
    expect((await postEnvelope(dsn, eventEnvelope(event))).status).toBe(200);
  }

  await expectExactlyOnce(
    api,
    slug,
    good.map((event) => event.event_id),
  );
  const listed = await until(
    'both items in the quarantine',
    async () => {
      const list = await server.cli(['quarantine', 'list']);
      const isThere = [throwing, killing].every((event) => list.stdout.includes(event.event_id));
      return isThere ? list : null;
    },
    { timeoutMs: 30_000, everyMs: 500 },
  );
  const ids = [throwing, killing].map((event) => quarantineId(listed.stdout, event));
  const shown = await server.cli(['quarantine', 'show', ids[0] ?? '']);
  expect(shown.code).toBe(0);
  expect(shown.stdout).toContain('digest_failed');
  expect(shown.stdout).toContain('Fault point');
  expect(shown.stdout).toMatch(/\b3\b/);
  expect((await server.cli(['quarantine', 'show', ids[1] ?? ''])).stdout).toContain('digest_crashed');
  expect(await countEvents(api, slug)).toBe(GOOD_EVENTS);

  // Without the fault, as after an upgrade that mends it.
  await server.stop();
  const mended = await startErrata({ dataDir: server.dataDir, port: Number(new URL(server.url).port) });
  server = mended;
  for (const id of ids) expect((await server.cli(['quarantine', 'replay', id])).code).toBe(0);
  const again = createApiClient(server.url, await server.token());
  for (const event of [throwing, killing]) {
    const found = await findEvent(again, slug, event.event_id, 10_000);
    expect(found.issue.title).toContain('TypeError');
  }
  // An event can be found shortly before it is counted.
  await expect.poll(() => countEvents(again, slug)).toBe(GOOD_EVENTS + 2);
});

test('an item that is not in the quarantine is exit code 1', async () => {
  const result = await runCli(['quarantine', 'show', '999999'], { ERRATA_DATA_DIR: server.dataDir });
  expect([result.code, result.stdout]).toEqual([1, '']);
  expect(result.stderr).toContain('999999');
});

function makePoison(text: string): SampleEvent {
  return { ...makeJavascriptError({ issue: 50, bytes: 2000 }), server_name: text };
}

/** The first column of the item's line. */
function quarantineId(list: string, event: SampleEvent): string {
  const line = list.split('\n').find((one) => one.includes(event.event_id)) ?? '';
  const id = /\d+/.exec(line)?.[0];
  if (!id) throw new Error(`No number for ${event.event_id} in:\n${list}`);
  return id;
}
