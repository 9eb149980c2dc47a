import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { NO_MAIL_SERVER } from '#delivery/ports/mailer.ts';
import type { AlertReceiver } from '#domain/alerts/alert-rule.ts';
import { MAILS_PER_HOUR_MAX } from '#domain/alerts/delivery-budgets.ts';
import { listAlertFirings } from '#product/alerts/alert-firings.ts';
import type { DeliveryHealth } from '#product/alerts/delivery-health.ts';
import { getDeliveryHealth } from '#product/alerts/get-delivery-health.ts';
import { testRoutes } from '#product/alerts/test-routes.ts';
import { RETRY_MS } from '#product/deliveries/delivery-parts.ts';
import { insertFiring, insertRule } from '../contract/alert-scene.ts';
import { HOUR_MS, MINUTE_MS } from '../contract/sample-events.ts';
import { testInFull } from '../harness/is-full.ts';
import { type DeliveryScene, openDeliveryScene } from './delivery-scene.ts';

type Joined = Awaited<ReturnType<DeliveryScene['join']>>;

let scene: DeliveryScene;
let owner: Joined;

beforeAll(async () => {
  scene = await openDeliveryScene();
  owner = await scene.join(scene.organization, 'owner');
});
afterAll(async () => {
  await scene?.close();
});
beforeEach(async () => {
  scene.answers.post = { kind: 'sent', status: 200 };
  scene.answers.mail = { kind: 'sent' };
  scene.answers.isMailConfigured = true;
  // Far enough from the test before: nothing of it waits, and nothing of it counts.
  scene.clock.nowMs += 48 * HOUR_MS;
  await scene.sendDue();
  await scene.sendDue();
});

const receiverOf = ({ userId }: Joined) => ({ kind: 'user', userId }) as const;

async function newRule(...receivers: readonly AlertReceiver[]) {
  const place = { organizationId: scene.organization.id, projectId: scene.shop.id };
  const definition: Parameters<typeof insertRule>[2] = {
    definition: {
      kind: 'issue',
      triggers: ['first_seen'],
      filters: [],
      filterMatch: 'all',
      frequencyMinutes: 30,
      receivers,
    },
  };
  const ruleId = await insertRule(scene.db, place, definition);
  let issues = 0;
  return {
    ruleId,
    /** One firing of it for each receiver that is named. */
    async fire(receiver: Parameters<DeliveryScene['fire']>[0]) {
      const { issue } = await scene.newIssue(`Issue ${++issues} of rule ${ruleId}`);
      await scene.fire(receiver, { issueId: issue.id }, { projectId: scene.shop.id, ruleId });
    },
    health: async () => {
      const report = await read(ruleId);
      const { routes, undelivered } = report.rules.get(ruleId)!;
      return { worst: routes[0]!.health, undelivered };
    },
    undelivered: async () =>
      (await listAlertFirings(owner, { ruleId, isUndelivered: true, cursor: null, limit: 10 })).firings,
  };
}

async function read(...ruleIds: readonly number[]) {
  const rules = await Promise.all(
    ruleIds.map(async (id) => (await scene.stores.alertRules.find(scene.organization.id, id))!),
  );
  return await getDeliveryHealth(owner, scene.parts.mailer, rules);
}

const emailStatus = async () => (await read()).email.status;
const destinationHealth = async (id: number): Promise<DeliveryHealth> => (await read()).destinations[id]!;

test('without a mail server a rule that notifies people fails before and after it fires, until a message arrives', async () => {
  scene.answers.isMailConfigured = false;
  scene.answers.mail = { kind: 'not_sent', isFinal: true, reason: NO_MAIL_SERVER };
  const rule = await newRule({ kind: 'owners', otherwise: 'members' });
  const failing = { status: 'failing', cause: 'no_mail_server', reason: NO_MAIL_SERVER };
  expect(await rule.health()).toMatchObject({ worst: failing, undelivered: 0 });
  // Three alerts that came together are one message: each of them counts.
  for (let index = 0; index < 3; index++) await rule.fire(receiverOf(owner));
  await scene.sendDue();
  expect(await rule.health()).toMatchObject({ worst: failing, undelivered: 3 });
  expect(await rule.undelivered()).toHaveLength(3);
  expect(await testRoutes(owner, scene.parts, [{ kind: 'email' }])).toEqual([
    { route: { kind: 'email' }, to: owner.email, kind: 'failed', reason: NO_MAIL_SERVER },
  ]);

  scene.answers.isMailConfigured = true;
  scene.answers.mail = { kind: 'sent' };
  expect(await rule.health()).toMatchObject({ worst: { status: 'untested' }, undelivered: 3 });
  expect(await testRoutes(owner, scene.parts, [{ kind: 'email' }])).toMatchObject([{ kind: 'sent' }]);
  expect(scene.mailed.at(-1)).toMatchObject({ to: owner.email, subject: expect.stringContaining('test') });
  expect(await rule.health()).toMatchObject({
    worst: { status: 'delivering', lastSentAt: scene.clock.nowMs },
    undelivered: 3,
  });
  scene.clock.nowMs += 25 * HOUR_MS;
  expect((await rule.health()).undelivered).toBe(0);
  expect(await rule.undelivered()).toEqual([]);
});

test('a mail server that is away fails every rule that notifies people, and a test that arrives sends what waits', async () => {
  const rule = await newRule(receiverOf(owner));
  const other = await newRule(receiverOf(owner));
  scene.answers.mail = { kind: 'not_sent', isFinal: false, reason: 'It is away' };
  const failedAt = scene.clock.nowMs;
  await rule.fire(receiverOf(owner));
  expect(await scene.sendDue()).toEqual([{ state: 'later', reason: 'It is away' }]);
  const failing = { status: 'failing', cause: 'error', reason: 'It is away', since: failedAt };
  expect((await rule.health()).worst).toEqual(failing);
  expect((await other.health()).worst).toEqual(failing);
  // The next try would be hours away.
  for (const waitMs of RETRY_MS.slice(0, 5)) {
    scene.clock.nowMs += waitMs;
    await scene.sendDue();
  }
  scene.answers.mail = { kind: 'sent' };
  scene.clock.nowMs += MINUTE_MS;
  expect(await scene.sendDue()).toEqual([]);
  await testRoutes(owner, scene.parts, [{ kind: 'email' }]);
  expect(await scene.sendDue()).toEqual([{ state: 'sent', reason: null }]);
  expect(await rule.health()).toMatchObject({ worst: { status: 'delivering' }, undelivered: 0 });
  expect((await other.health()).worst.status).toBe('delivering');
});

testInFull('mail that was given up keeps failing until the next one arrives', async () => {
  const rule = await newRule(receiverOf(owner));
  scene.answers.mail = { kind: 'not_sent', isFinal: false, reason: 'It is away' };
  await rule.fire(receiverOf(owner));
  for (const waitMs of [0, ...RETRY_MS]) {
    scene.clock.nowMs += waitMs;
    await scene.sendDue();
  }
  expect(await rule.health()).toMatchObject({ worst: { status: 'failing' }, undelivered: 1 });
  scene.clock.nowMs += 72 * HOUR_MS;
  expect(await emailStatus()).toBe('failing');
  scene.answers.mail = { kind: 'sent' };
  await rule.fire(receiverOf(owner));
  await scene.sendDue();
  expect((await rule.health()).worst.status).toBe('delivering');
});

testInFull('a mailbox that is refused fails the rule that writes to it, not the others', async () => {
  const ben = await scene.join(scene.organization, 'member');
  const rule = await newRule(receiverOf(ben), receiverOf(owner));
  const other = await newRule(receiverOf(owner));
  const refused = async () => {
    scene.answers.mail = { kind: 'not_sent', isFinal: true, status: 550, reason: 'No such mailbox' };
    await rule.fire(receiverOf(ben));
    await scene.sendDue();
    scene.answers.mail = { kind: 'sent' };
    scene.clock.nowMs += MINUTE_MS;
    await other.fire(receiverOf(owner));
    await scene.sendDue();
  };
  await refused();
  expect(await emailStatus()).toBe('delivering');
  expect((await other.health()).worst.status).toBe('delivering');
  expect(await rule.health()).toMatchObject({
    worst: { status: 'failing', cause: 'error', reason: 'No such mailbox' },
    undelivered: 1,
  });
  await rule.fire(receiverOf(ben));
  await scene.sendDue();
  expect((await rule.health()).worst.status).toBe('delivering');
  scene.clock.nowMs += 2 * HOUR_MS;
  await refused();
  expect((await rule.health()).worst.status).toBe('failing');
  await scene.stores.members.remove(scene.organization.id, ben.userId);
  expect((await rule.health()).worst.status).toBe('delivering');
});

test('a destination is not tested, delivers, fails and delivers again, and so do its rules', async () => {
  const chat = await scene.newDestination();
  const { destinationId } = chat;
  const rule = await newRule(chat);
  expect((await rule.health()).worst).toEqual({ status: 'untested' });
  await rule.fire(chat);
  await scene.sendDue();
  const lastSentAt = scene.clock.nowMs;
  expect((await rule.health()).worst).toEqual({ status: 'delivering', lastSentAt });

  scene.answers.post = { kind: 'refused', status: 404, reason: 'The webhook is gone' };
  scene.clock.nowMs += MINUTE_MS;
  await rule.fire(chat);
  await scene.sendDue();
  const failing = {
    status: 'failing',
    cause: 'error',
    reason: 'The webhook is gone',
    since: scene.clock.nowMs,
  };
  expect(await rule.health()).toEqual({ worst: failing, undelivered: 1 });
  expect(await destinationHealth(destinationId)).toEqual(failing);

  scene.answers.post = { kind: 'sent', status: 200 };
  expect(await testRoutes(owner, scene.parts, [chat])).toEqual([{ route: chat, to: null, kind: 'sent' }]);
  expect(await rule.health()).toMatchObject({ worst: { status: 'delivering' }, undelivered: 1 });

  await scene.stores.destinations.remove(scene.organization.id, destinationId);
  expect((await rule.health()).worst).toMatchObject({ status: 'failing', cause: 'removed' });
});

test('a message that cannot be created fails its destination as well', async () => {
  const chat = await scene.newDestination();
  const rule = await newRule(chat);
  await rule.fire(chat);
  const { find } = scene.stores.destinations;
  scene.parts.stores.destinations.find = async () => {
    throw new Error('It is broken');
  };
  await scene.sendDue();
  scene.parts.stores.destinations.find = find;
  expect((await rule.health()).worst).toMatchObject({
    status: 'failing',
    reason: 'The message could not be created: It is broken',
  });
});

test('alerts that wait for the hourly limit, or for somebody to send them, are delayed', async () => {
  const rule = await newRule(receiverOf(owner));
  await testRoutes(owner, scene.parts, [{ kind: 'email' }]);
  const fill = () =>
    scene.pool.query(
      `INSERT INTO deliveries (id, organization_id, kind, user_id, state, due_at, created_at, done_at)
       SELECT gen_random_uuid(), $1, 'activity', $2, 'sent', $3::timestamptz, $3::timestamptz, $3::timestamptz
       FROM generate_series(1, $4::integer)`,
      [scene.organization.id, owner.userId, new Date(scene.clock.nowMs), MAILS_PER_HOUR_MAX],
    );
  await fill();
  await rule.fire(receiverOf(owner));
  expect(await scene.sendDue()).toEqual([]);
  expect((await rule.health()).worst.status).toBe('delivering');
  const since = scene.clock.nowMs;
  scene.clock.nowMs += 21 * MINUTE_MS;
  expect(await scene.sendDue()).toEqual([]);
  expect((await rule.health()).worst).toMatchObject({
    status: 'delayed',
    since,
    reason: expect.stringContaining('hourly'),
  });
  scene.clock.nowMs += HOUR_MS;
  expect((await rule.health()).worst).toMatchObject({ reason: expect.stringContaining('jobs process') });
  await scene.sendDue();
  expect((await rule.health()).worst.status).toBe('delivering');
});

test('a rule whose recipients want no email fails once it has notified no one, until it notifies someone', async () => {
  const rule = await newRule(receiverOf(owner));
  const quiet = await newRule({ kind: 'owners', otherwise: 'nobody' });
  await testRoutes(owner, scene.parts, [{ kind: 'email' }]);
  const fireForNobody = async (ruleId: number) => {
    const { issue } = await scene.newIssue(`Nobody hears of rule ${ruleId}`);
    const place = { organizationId: scene.organization.id, projectId: scene.shop.id, ruleId };
    await insertFiring(scene.db, place, { issueId: issue.id, firedAt: scene.clock.nowMs });
  };
  await fireForNobody(rule.ruleId);
  await fireForNobody(quiet.ruleId);
  expect((await rule.health()).worst).toMatchObject({
    status: 'failing',
    cause: 'nobody',
    since: scene.clock.nowMs,
  });
  expect((await quiet.health()).worst.status).toBe('delivering');
  scene.clock.nowMs += MINUTE_MS;
  await rule.fire(receiverOf(owner));
  await scene.sendDue();
  expect((await rule.health()).worst.status).toBe('delivering');
});

test('what another organization does is no evidence', async () => {
  const chat = await scene.newDestination();
  const rule = await newRule(chat, receiverOf(owner));
  const mine = scene.organization;
  const other = await scene.createOrganization();
  const stranger = await scene.join(other, 'owner');
  const health = await getDeliveryHealth(stranger, scene.parts.mailer, []);
  expect([health.email, health.destinations]).toEqual([{ status: 'untested' }, {}]);
  const foreign = (await scene.stores.alertRules.find(mine.id, rule.ruleId))!;
  scene.answers.post = { kind: 'refused', status: 404, reason: 'Gone' };
  await rule.fire(chat);
  await scene.sendDue();
  const { rules } = await getDeliveryHealth(stranger, scene.parts.mailer, [foreign]);
  expect(rules.get(rule.ruleId)).toMatchObject({ undelivered: 0 });
  expect(await testRoutes(stranger, scene.parts, [chat])).toMatchObject([
    { kind: 'failed', reason: expect.stringContaining('Destination not found') },
  ]);
});
