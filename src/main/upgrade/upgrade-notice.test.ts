import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createLog } from '#lib/log.ts';
import { findFreePort } from '#storage/embedded/free-port.ts';
import type { UpgradeProgress } from '../messages.ts';
import { describeProgress, openUpgradeNotice } from './upgrade-notice.ts';

const TOKEN = 't'.repeat(40);
const log = createLog('notice', 'silent');
const progress: UpgradeProgress = {
  from: '0.1.0',
  to: '1.0.0',
  doing: 'Migrating ClickHouse: 0006_event_values.sql',
  detail: null,
  number: 2,
  count: 5,
  startedAt: Date.now(),
};

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function open(): Promise<string> {
  const port = await findFreePort();
  const notice = await openUpgradeNotice(
    { host: '127.0.0.1', port, metricsToken: TOKEN },
    () => progress,
    log,
  );
  closers.push(async () => notice?.close());
  return `http://127.0.0.1:${port}`;
}

test('is alive and not ready; how far it is only those are told who have the token', async () => {
  const url = await open();
  expect((await fetch(`${url}/health/live`)).status).toBe(200);
  const ready = await fetch(`${url}/health/ready`);
  expect([ready.status, await ready.json()]).toEqual([503, { status: 'upgrading' }]);
  const detailed = await fetch(`${url}/health/ready`, { headers: { authorization: `Bearer ${TOKEN}` } });
  expect(await detailed.json()).toEqual({
    status: 'upgrading',
    checks: {
      upgrade: { ok: false, detail: expect.stringMatching(/0006_event_values\.sql, 2 of 5, \d+ s$/) },
    },
  });
});

test('SDKs are told when to send again, people see a page that names nothing of what is inside', async () => {
  const url = await open();
  const sent = await fetch(`${url}/api/1/envelope/`, { method: 'POST', body: 'x'.repeat(100_000) });
  expect([sent.status, sent.headers.get('retry-after')]).toEqual([503, '30']);
  const page = await fetch(`${url}/main/issues`, { headers: { accept: 'text/html' } });
  const html = await page.text();
  expect([page.status, page.headers.get('content-security-policy')]).toEqual([
    503,
    "default-src 'none'; style-src 'unsafe-inline'",
  ]);
  expect(html).toContain('Errata is being upgraded');
  expect(html).toContain('Step 2 of 5');
  expect(html).not.toContain('0006');
});

test('gives the port back at once, whoever is still connected', async () => {
  const url = await open();
  const idle = connect(Number(new URL(url).port), '127.0.0.1');
  idle.on('error', () => {});
  await once(idle, 'connect');
  await closers.pop()?.();
  const next = createServer().listen(Number(new URL(url).port), '127.0.0.1');
  await once(next, 'listening');
  next.close();
  idle.destroy();
});

test('does without the port when it is taken', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  expect(
    await openUpgradeNotice({ host: '127.0.0.1', port, metricsToken: TOKEN }, () => progress, log),
  ).toBeNull();
  taken.close();
});

test('progress says what, which one and since when', () => {
  const { startedAt } = progress;
  expect(describeProgress(progress, startedAt + 12_000)).toBe(
    'Migrating ClickHouse: 0006_event_values.sql, 2 of 5, 12 s',
  );
  expect(describeProgress({ ...progress, detail: 'statement 3 of 14' }, startedAt)).toBe(
    'Migrating ClickHouse: 0006_event_values.sql (statement 3 of 14), 2 of 5, 0 s',
  );
  expect(describeProgress({ ...progress, doing: 'Backing up to /b', number: 0 }, startedAt + 600_000)).toBe(
    'Backing up to /b, 10 min',
  );
});
