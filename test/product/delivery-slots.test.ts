import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSmtpMailer } from '#delivery/smtp/smtp-mailer.ts';
import { runDeliveryWorker } from '#jobs/delivery-worker.ts';
import { invalid } from '#lib/errors.ts';
import type { DeliveryParts } from '#product/deliveries/delivery-parts.ts';
import { sendDelivery, takeDue } from '#product/deliveries/send-delivery.ts';
import type { AlertEventStore } from '#storage/ports/alert-events.ts';
import { HOUR_MS, MINUTE_MS } from '../contract/sample-events.ts';
import { testInFull } from '../harness/is-full.ts';
import { until } from '../harness/until.ts';
import { type DeliveryScene, openDeliveryScene } from './delivery-scene.ts';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

let scene: DeliveryScene;
let members: readonly string[] = [];
beforeAll(async () => {
  scene = await openDeliveryScene();
  const joined = Array.from({ length: 20 }, () => scene.join(scene.organization, 'member'));
  members = (await Promise.all(joined)).map(({ userId }) => userId);
});
afterAll(async () => {
  await scene?.close();
});
beforeEach(async () => {
  scene.clock.nowMs += 12 * HOUR_MS;
  await scene.sendDue();
  scene.posted.length = 0;
  scene.mailed.length = 0;
});

/** Mails about an issue that are due. */
async function fireMails(name: string, count: number): Promise<void> {
  const { issue } = await scene.newIssue(name);
  for (const userId of members.slice(0, count))
    await scene.fire({ kind: 'user', userId }, { issueId: issue.id });
}

async function fireChat(name: string, kind: 'slack' | 'webhook' = 'slack'): Promise<void> {
  const { issue } = await scene.newIssue(name);
  await scene.fire(await scene.newDestination(kind), { issueId: issue.id });
}

function startWorker(parts: DeliveryParts) {
  const stopping = new AbortController();
  let wake = () => {};
  const subscribe = (listener: () => void) => {
    wake = listener;
    return () => {};
  };
  const running = runDeliveryWorker(parts, { subscribe, log: SILENT }, stopping.signal);
  return {
    wake: () => wake(),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

testInFull('while the mail server says nothing, what goes elsewhere goes on', async () => {
  await fireMails('Silent mails', 20);
  scene.clock.nowMs += 1_000;
  const answers: (() => void)[] = [];
  const send = () =>
    new Promise<{ kind: 'sent' }>((resolve) => answers.push(() => resolve({ kind: 'sent' })));
  const worker = startWorker({ ...scene.parts, mailer: { isConfigured: true, send, close() {} } });
  await until('mails that wait for the server', () => answers.length > 0 || null);
  await fireChat('Beside mails', 'webhook');
  worker.wake();
  await until('the message of the webhook', () => scene.posted[0] ?? null);
  expect(answers).toHaveLength(4);
  const answering = setInterval(() => {
    for (const answer of answers.splice(0)) answer();
  }, 10);
  await until('all mails', async () => (await scene.log()).every(({ state }) => state === 'sent') || null);
  clearInterval(answering);
  await worker.stop();
});

testInFull('sixteen mails over a slow mail server arrive once each, at their first try', async () => {
  const received: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      stream.resume();
      stream.on('end', () => {
        received.push(...session.envelope.rcptTo.map(({ address }) => address));
        setTimeout(done, 600);
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  // All sixteen at once would need 4.8 s.
  const mailer = createSmtpMailer({ url, from: 'errata@example.com' }, SILENT, 4_000);
  await fireMails('Slow mails', 16);
  const worker = startWorker({ ...scene.parts, mailer });
  const mine = async () => (await scene.log()).filter(({ createdAt }) => createdAt === scene.clock.nowMs);
  await until('the end of all mails', async () =>
    (await mine()).every(({ state, lastError }) => state === 'sent' || lastError !== null),
  );
  await worker.stop();
  mailer.close();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  expect((await mine()).map(({ attempts, lastError }) => [attempts, lastError])).toEqual(
    Array<unknown>(16).fill([1, null]),
  );
  expect(received).toHaveLength(16);
  expect(new Set(received).size).toBe(16);
});

test('nothing waits for a report that is being made, and what has its content waits for nothing', async () => {
  let letGo = () => {};
  const gate = new Promise<never>((_, reject) => {
    letGo = () => reject(new Error('let go'));
  });
  const hung: Promise<unknown>[] = [];
  const { notifications, alertRules } = scene.stores;
  const hanging: DeliveryParts = {
    ...scene.parts,
    stores: {
      ...scene.stores,
      notifications: { ...notifications, list: () => gate },
      alertRules: { ...alertRules, find: () => gate },
    },
  };
  for (const userId of members.slice(0, 2)) {
    await scene.pool.query(
      `INSERT INTO deliveries (id, organization_id, kind, user_id, subject, due_at, created_at)
       VALUES (gen_random_uuid(), $1, 'report', $2, $3, $4, $4)`,
      [
        scene.organization.id,
        userId,
        JSON.stringify({ kind: 'report', weekStart: scene.clock.nowMs }),
        new Date(scene.clock.nowMs),
      ],
    );
  }
  const reports = await takeDue(scene.parts, 10);
  expect(reports.map(({ kind }) => kind)).toEqual(['report', 'report']);
  for (const report of reports) hung.push(sendDelivery(hanging, report));
  await fireChat('Beside reports');
  const [beside] = await takeDue(scene.parts, 10);
  expect(await sendDelivery(scene.parts, beside!)).toEqual({ state: 'sent', reason: null });

  // Its content is decided, and its first try failed.
  scene.answers.post = { kind: 'try_later', status: 503, reason: 'away', afterMs: null };
  await fireChat('Sealed');
  await scene.sendDue();
  scene.answers.post = { kind: 'sent', status: 200 };
  scene.clock.nowMs += 5_000;
  const [sealed] = await takeDue(scene.parts, 10);
  for (const name of ['Stuck one', 'Stuck two']) await fireChat(name);
  const stuck = await takeDue(scene.parts, 10);
  expect(stuck).toHaveLength(2);
  for (const each of stuck) hung.push(sendDelivery(hanging, each));
  expect(await sendDelivery(scene.parts, sealed!)).toEqual({ state: 'sent', reason: null });
  letGo();
  await Promise.all(hung);
});

testInFull('users of an issue are counted once in a minute, however many are told of it', async () => {
  const { alertEvents } = scene.stores;
  const asked: number[] = [];
  let counts: AlertEventStore['countWindow'] = (scope, issues, what) => {
    asked.push(issues.length);
    return alertEvents.countWindow(scope, issues, what);
  };
  const parts: DeliveryParts = {
    ...scene.parts,
    stores: {
      ...scene.stores,
      alertEvents: { ...alertEvents, countWindow: (...args) => counts(...args) },
    },
  };
  const user = { id: '1', email: null, username: null, ip: null };
  const { issue } = await scene.newIssue('Counted once', [{ user, tags: [['user', 'id:1']] }]);
  const tell = async () => {
    scene.posted.length = 0;
    await scene.fire(await scene.newDestination(), { issueId: issue.id });
    for (const delivery of await takeDue(parts, 10)) await sendDelivery(parts, delivery);
    return JSON.stringify(scene.posted[0]?.parts);
  };
  for (let round = 0; round < 3; round++) expect(await tell()).toContain('1 user');
  expect(asked).toEqual([1]);
  scene.clock.nowMs += MINUTE_MS;
  counts = () => {
    asked.push(0);
    return Promise.reject(invalid('Too many'));
  };
  // A message without this number is better than none; and what is too much is not tried for each.
  for (let round = 0; round < 2; round++) expect(await tell()).toMatch(/1 event(?!, \d+ user)/);
  expect(asked).toEqual([1, 0]);
});
