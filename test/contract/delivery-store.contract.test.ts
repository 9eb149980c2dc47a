import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GAPS_MS, MAIL_ROOM_LOOK_MS } from '#domain/alerts/delivery-budgets.ts';
import type { Receiver } from '#domain/alerts/who-is-notified.ts';
import { createSecretBox } from '#lib/secret-box.ts';
import { createDeliveryStore, type DeliveryStore } from '#product/deliveries/store/delivery-store.ts';
import { joinDeliveries } from '#product/deliveries/store/join-deliveries.ts';
import { createDestinationStore } from '#product/destinations/destination-store.ts';
import { testInFull } from '../harness/is-full.ts';
import { insertFiring, insertRule } from './alert-scene.ts';
import { describeOnPostgres } from './engines.ts';
import { openPostgresStores, type PostgresStores, type Tenant } from './postgres-stores.ts';
import { HOUR_MS, hashOf, MINUTE_MS, makeEvent, NOON_MS } from './sample-events.ts';

const LEASE_MS = 60_000;

describeOnPostgres('DeliveryStore', (engine) => {
  let stores: PostgresStores;
  let deliveries: DeliveryStore;
  beforeAll(async () => {
    stores = await openPostgresStores(engine);
    deliveries = createDeliveryStore(stores.database.db);
  });
  afterAll(async () => {
    await stores?.database.drop();
  });

  /** A tenant with a rule, and ways to fire it. */
  async function openScene() {
    const tenant: Tenant = await stores.createTenant();
    const { organizationId } = tenant;
    const { db } = stores.database;
    const ruleId = await insertRule(db, tenant);
    const destinations = createDestinationStore(db, createSecretBox('x'.repeat(32), 'destinations'));
    const newDestination = async (name = 'Chat'): Promise<Receiver> => {
      const draft = { kind: 'slack' as const, name, config: {}, secret: {} };
      return {
        kind: 'destination',
        destinationId: (await destinations.add(organizationId, draft, null, NOON_MS)).id,
      };
    };
    const newMember = async (): Promise<Receiver> => {
      const userId = await stores.createUser('Ana');
      await stores.database.pool.query(
        `INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'member')`,
        [organizationId, userId],
      );
      return { kind: 'user', userId };
    };
    const newIssue = async (name: string, events = 1): Promise<number> => {
      await stores.assignNext(
        Array.from({ length: events }, () => makeEvent({ ...tenant, groupingHash: hashOf(name) })),
      );
      const issue = await stores.issues.findByHash(organizationId, tenant.projectId, hashOf(name));
      return issue!.id;
    };
    const fire = async (
      receiver: Receiver,
      firing: Parameters<typeof insertFiring>[2] & { ruleId?: number } = { issueId: null },
      nowMs = NOON_MS,
    ): Promise<number> => {
      const rule = { ...tenant, ruleId: firing.ruleId ?? ruleId };
      return await db.transaction().execute(async (transaction) => {
        const firingId = await insertFiring(transaction, rule, { firedAt: nowMs, ...firing });
        await joinDeliveries(transaction, [{ firingId, organizationId, receiver }], nowMs);
        return firingId;
      });
    };
    const take = (nowMs = NOON_MS, limits: Partial<Parameters<DeliveryStore['take']>[1]> = {}) =>
      deliveries
        .take(nowMs, {
          leaseUntil: nowMs + LEASE_MS,
          mailLeaseUntil: nowMs + LEASE_MS,
          limit: 50,
          mailsMax: 50,
          reportsMax: 50,
          issuesMax: 20,
          metricsMax: 20,
          mailsPerHourMax: 200,
          ...limits,
        })
        .then((taken) => taken.filter((delivery) => delivery.organizationId === organizationId));
    const list = () =>
      deliveries.list(
        organizationId,
        { destinationId: null, ruleId: null, seenIn: null },
        { limit: 100, before: null },
      );
    const sendAll = async (nowMs: number) => {
      const taken = await take(nowMs);
      for (const each of taken) await deliveries.finish(each, 'sent', { error: null, status: 200 }, nowMs);
      return taken;
    };
    return { tenant, organizationId, ruleId, newDestination, newMember, newIssue, fire, take, list, sendAll };
  }

  test('firings join the open message of their receiver until it is taken, and then open another one', async () => {
    const scene = await openScene();
    const [chat, pager] = [await scene.newDestination(), await scene.newDestination('Pager')];
    const issues = [await scene.newIssue('one'), await scene.newIssue('two', 3)];
    for (const issueId of issues) await scene.fire(chat, { issueId });
    await scene.fire(pager, { issueId: issues[0]! });

    const taken = await scene.take();
    expect(
      taken.map(({ receiver, firings }) => [receiver, firings.named.map(({ issueId }) => issueId)]),
    ).toEqual(
      expect.arrayContaining([
        // The more frequent issue first.
        [chat, [issues[1], issues[0]]],
        [pager, [issues[0]]],
      ]),
    );
    expect(
      taken.every(({ state, attempts, content }) => state === 'sealed' && attempts === 1 && content === null),
    ).toBe(true);

    await scene.fire(chat, { issueId: await scene.newIssue('three') });
    // One after the other to a destination.
    expect(await scene.take()).toEqual([]);
    await deliveries.finish(
      taken.find(({ firings }) => firings.total === 2)!,
      'sent',
      { error: null, status: 200 },
      NOON_MS,
    );
    const next = await scene.take();
    expect(next.map(({ receiver, firings }) => [receiver, firings.total])).toEqual([[chat, 1]]);
    expect(taken.map(({ id }) => id)).not.toContain(next[0]?.id);
  });

  test('an issue is named once, with its first firing; a metric with its last', async () => {
    const scene = await openScene();
    const chat = await scene.newDestination();
    const issueId = await scene.newIssue('one');
    const other = await insertRule(stores.database.db, scene.tenant, { name: 'Other' });
    await scene.fire(chat, { issueId, cause: 'first_seen', firedAt: NOON_MS });
    await scene.fire(chat, { issueId, cause: 'escalation', firedAt: NOON_MS + 1_000, ruleId: other });
    await scene.fire(chat, { issueId: null, cause: 'critical', value: 12, ruleId: other });
    await scene.fire(chat, { issueId: null, cause: 'ok', value: 3, ruleId: other });
    const [taken] = await scene.take();
    expect(taken?.firings).toMatchObject({
      issues: 1,
      total: 4,
      firstAt: NOON_MS,
      ruleIds: [other, scene.ruleId],
    });
    expect(taken?.firings.named.map(({ cause, value }) => [cause, value])).toEqual([
      ['ok', 3],
      ['first_seen', null],
    ]);
  });

  test('of a storm as many are named as asked for, and all are counted', async () => {
    const scene = await openScene();
    const chat = await scene.newDestination();
    for (let index = 0; index < 8; index++) {
      await scene.fire(chat, { issueId: await scene.newIssue(`storm ${index}`) });
    }
    for (let index = 0; index < 4; index++) {
      const ruleId = await insertRule(stores.database.db, scene.tenant, { name: `Metric ${index}` });
      await scene.fire(chat, { issueId: null, cause: 'critical', ruleId });
    }
    const [taken] = await scene.take(NOON_MS, { issuesMax: 3, metricsMax: 2 });
    expect(taken?.firings.named.map(({ cause }) => cause)).toEqual([
      ...Array<string>(2).fill('critical'),
      ...Array<string>(3).fill('first_seen'),
    ]);
    expect(taken?.firings).toMatchObject({ issues: 8, metrics: 4, total: 12 });
  });

  test('nobody else takes it before the lease ends, and then it is the same message with the same content', async () => {
    const scene = await openScene();
    const chat = await scene.newDestination();
    await scene.fire(chat);
    const [first] = await scene.take();
    expect(await scene.take(NOON_MS + LEASE_MS - 1)).toEqual([]);
    expect(await deliveries.seal(first!.id, { summary: 'a', parts: [1] })).toEqual({
      summary: 'a',
      parts: [1],
    });
    // Whoever took it again decides nothing any more.
    expect(await deliveries.seal(first!.id, { summary: 'b' })).toEqual({ summary: 'a', parts: [1] });
    const [second] = await scene.take(NOON_MS + LEASE_MS);
    expect(second).toMatchObject({ id: first!.id, attempts: 2, content: { summary: 'a', parts: [1] } });
    expect(await deliveries.finish(second!, 'sent', { error: null, status: 200 }, NOON_MS)).toBe(true);
    expect(await deliveries.finish(second!, 'failed', { error: 'late', status: 500 }, NOON_MS)).toBe(false);
    expect(await scene.list()).toMatchObject([
      {
        id: first!.id,
        state: 'sent',
        lastStatus: 200,
        lastError: null,
        content: { summary: 'a' },
        firingsTotal: 1,
      },
    ]);
    expect(await deliveries.seal(first!.id, {})).toBeNull();
  });

  test('who comes late changes nothing of a message that somebody else has by then', async () => {
    const scene = await openScene();
    await scene.fire(await scene.newDestination());
    const [late] = await scene.take();
    const [second] = await scene.take(NOON_MS + LEASE_MS);
    await deliveries.postpone(late!, NOON_MS, null);
    expect(await deliveries.finish(late!, 'failed', { error: 'late', status: null }, NOON_MS)).toBe(false);
    expect(await scene.take(NOON_MS + LEASE_MS)).toEqual([]);
    expect(await deliveries.finish(second!, 'sent', { error: null, status: 200 }, NOON_MS)).toBe(true);
    expect(await scene.list()).toMatchObject([{ state: 'sent', attempts: 2 }]);
  });

  test('what is given back is due again then; a try that was not made does not count', async () => {
    const scene = await openScene();
    const chat = await scene.newDestination();
    await scene.fire(chat);
    const [first] = await scene.take();
    await deliveries.postpone(first!, NOON_MS + 5_000, { error: 'it answered 500', status: 500 });
    expect(await scene.take(NOON_MS + 4_999)).toEqual([]);
    const [second] = await scene.take(NOON_MS + 5_000);
    expect(second).toMatchObject({ attempts: 2, lastError: 'it answered 500', lastStatus: 500 });
    await deliveries.postpone(second!, NOON_MS + 6_000, null);
    const [third] = await scene.take(NOON_MS + 6_000);
    expect(third).toMatchObject({ attempts: 2, lastError: 'it answered 500' });
  });

  test('two senders never take the same message', async () => {
    const scene = await openScene();
    for (let index = 0; index < 10; index++) await scene.fire(await scene.newDestination(`D${index}`));
    const taken = (await Promise.all(Array.from({ length: 5 }, () => scene.take())))
      .flat()
      .map(({ id }) => id);
    expect(taken).toHaveLength(10);
    expect(new Set(taken).size).toBe(10);
  });

  test('a firing that is on its way when a message is taken is not lost', async () => {
    const scene = await openScene();
    const chat = await scene.newDestination();
    await scene.fire(chat);
    let taken: Awaited<ReturnType<typeof scene.take>> = [];
    await stores.database.db.transaction().execute(async (transaction) => {
      const late = await insertFiring(
        transaction,
        { ...scene.tenant, ruleId: scene.ruleId },
        { issueId: null },
      );
      await joinDeliveries(
        transaction,
        [{ firingId: late, organizationId: scene.organizationId, receiver: chat }],
        NOON_MS,
      );
      taken = await scene.take();
    });
    expect(taken).toEqual([]);
    expect((await scene.take())[0]?.firings.total).toBe(2);
  });

  describe('budgets', () => {
    testInFull('three messages go at once, those after them wait longer and longer', async () => {
      const scene = await openScene();
      const chat = await scene.newDestination();
      const sentAt: number[] = [];
      // Something fires twice a minute for an hour.
      for (let nowMs = NOON_MS; nowMs < NOON_MS + HOUR_MS; nowMs += 30_000) {
        await scene.fire(chat, { issueId: null }, nowMs);
        for (const _ of await scene.sendAll(nowMs)) sentAt.push((nowMs - NOON_MS) / MINUTE_MS);
      }
      const gaps = sentAt.map((at, index) => Math.round((at - (sentAt[index - 1] ?? at)) * 6) / 6);
      expect(gaps.slice(0, 3).every((gap) => gap < 1)).toBe(true);
      expect(gaps.slice(3, 8).map(Math.round)).toEqual([1, 2, 5, 10, 15]);
      expect(GAPS_MS).toHaveLength(5);
      expect(sentAt.length).toBeLessThanOrEqual(10);
    });

    test('what fires while a message waits joins it, and it is due no later for that', async () => {
      const scene = await openScene();
      const chat = await scene.newDestination();
      for (let index = 0; index < 3; index++) {
        await scene.fire(chat);
        await scene.sendAll(NOON_MS);
      }
      await scene.fire(chat, { issueId: null }, NOON_MS + 1_000);
      await scene.fire(chat, { issueId: null }, NOON_MS + 50_000);
      expect(await scene.take(NOON_MS + MINUTE_MS - 1)).toEqual([]);
      expect((await scene.take(NOON_MS + MINUTE_MS))[0]?.firings.total).toBe(2);
    });

    test('a destination that waits for another try does not put off messages to it for as long', async () => {
      const scene = await openScene();
      const chat = await scene.newDestination();
      for (let index = 0; index < 3; index++) {
        await scene.fire(chat);
        const [taken] = await scene.take();
        await deliveries.postpone(taken!, NOON_MS + 6 * HOUR_MS, { error: 'away', status: null });
      }
      await scene.fire(chat, { issueId: null }, NOON_MS + 1_000);
      expect(await scene.take(NOON_MS + 1_000 + MINUTE_MS)).toHaveLength(1);
    });

    test('of the mails of an organization so many go in an hour; the others wait and go on collecting', async () => {
      const scene = await openScene();
      const members = await Promise.all(Array.from({ length: 5 }, () => scene.newMember()));
      const chat = await scene.newDestination();
      for (const receiver of [...members, chat]) await scene.fire(receiver);
      const limits = { mailsPerHourMax: 3 };
      const first = await scene.take(NOON_MS, limits);
      expect(first.map(({ receiver }) => receiver.kind).sort()).toEqual([
        'destination',
        'user',
        'user',
        'user',
      ]);
      for (const each of first) await deliveries.finish(each, 'sent', { error: null, status: null }, NOON_MS);
      // The two that wait are open: more joins them.
      for (const receiver of members) await scene.fire(receiver, { issueId: null }, NOON_MS + 1_000);
      const later = NOON_MS + MAIL_ROOM_LOOK_MS;
      expect(await scene.take(later, limits)).toEqual([]);
      const afterwards = await scene.take(NOON_MS + HOUR_MS + MAIL_ROOM_LOOK_MS, limits);
      expect(afterwards).toHaveLength(3);
      expect(afterwards.map(({ firings }) => firings.total).sort()).toEqual([1, 2, 2]);
    });
  });

  test('alerts go before mails about activities, and reports leave room for both', async () => {
    const scene = await openScene();
    const insert = async (kind: string, dueAt: number) => {
      const member = await scene.newMember();
      await stores.database.pool.query(
        `INSERT INTO deliveries (id, organization_id, kind, user_id, due_at, created_at)
         VALUES (gen_random_uuid(), $1, $2, $3, $4, $4)`,
        [scene.organizationId, kind, member.kind === 'user' ? member.userId : '', new Date(dueAt)],
      );
    };
    for (let index = 0; index < 6; index++) await insert('report', NOON_MS - 10_000);
    await insert('activity', NOON_MS - 5_000);
    const limits = { mailsPerHourMax: 6 };
    expect((await scene.take(NOON_MS, limits)).map(({ kind }) => kind)).toEqual([
      'activity',
      'report',
      'report',
      'report',
    ]);
    // Reports wait, and what happens meanwhile does not.
    const later = NOON_MS + MAIL_ROOM_LOOK_MS;
    await scene.fire(await scene.newMember(), { issueId: null }, later);
    expect((await scene.take(later, limits)).map(({ kind }) => kind)).toContain('alert');
  });

  test('of what is taken so many are mails, and so many of them reports; what goes elsewhere does not wait', async () => {
    const scene = await openScene();
    // What other tests have left takes no part.
    await scene.take();
    for (const kind of ['report', 'report', 'report', 'activity', 'activity']) {
      const member = await scene.newMember();
      await stores.database.pool.query(
        `INSERT INTO deliveries (id, organization_id, kind, user_id, due_at, created_at)
         VALUES (gen_random_uuid(), $1, $2, $3, $4, $4)`,
        [scene.organizationId, kind, member.kind === 'user' ? member.userId : '', new Date(NOON_MS - 10_000)],
      );
    }
    for (let index = 0; index < 3; index++) await scene.fire(await scene.newMember());
    await scene.fire(await scene.newDestination());
    const kinds = async (mailsMax: number, reportsMax: number) =>
      (await scene.take(NOON_MS, { mailsMax, reportsMax }))
        .map(({ kind, receiver }) => `${kind} ${receiver.kind}`)
        .sort();
    expect(await kinds(0, 2)).toEqual(['alert destination']);
    expect(await kinds(4, 2)).toEqual(['activity user', ...Array<string>(3).fill('alert user')]);
    expect(await kinds(4, 2)).toEqual(['activity user', 'report user', 'report user']);
    expect(await kinds(4, 0)).toEqual([]);
    expect(await kinds(4, 2)).toEqual(['report user']);
  });

  test('receivers that are gone, and those of other organizations, get nothing', async () => {
    const scene = await openScene();
    const other = await openScene();
    const foreign = await other.newDestination();
    const stranger = await other.newMember();
    await scene.fire({ kind: 'destination', destinationId: 999_999_999 });
    await scene.fire(foreign);
    await scene.fire(stranger);
    await scene.fire({ kind: 'user', userId: 'nobody' });
    expect([await scene.list(), await other.list()]).toEqual([[], []]);
  });

  test('the log: newest first, by destination, by rule and by firing, in pages', async () => {
    const scene = await openScene();
    const [chat, ana] = [await scene.newDestination(), await scene.newMember()];
    const firings: number[] = [];
    for (let minute = 0; minute < 5; minute++) {
      const nowMs = NOON_MS + minute * HOUR_MS;
      firings.push(await scene.fire(minute === 4 ? ana : chat, { issueId: null }, nowMs));
      await scene.sendAll(nowMs);
    }
    const all = await scene.list();
    expect(all.map(({ createdAt, userName }) => [(createdAt - NOON_MS) / HOUR_MS, userName])).toEqual([
      [4, 'Ana'],
      [3, null],
      [2, null],
      [1, null],
      [0, null],
    ]);
    const destinationId = chat.kind === 'destination' ? chat.destinationId : 0;
    const page = await deliveries.list(
      scene.organizationId,
      { destinationId, ruleId: null, seenIn: null },
      { limit: 2, before: null },
    );
    expect(page).toEqual(all.slice(1, 3));
    const rest = await deliveries.list(
      scene.organizationId,
      { destinationId, ruleId: scene.ruleId, seenIn: null },
      { limit: 9, before: page[1]! },
    );
    expect(rest).toEqual(all.slice(3));
    expect(
      await deliveries.list(
        scene.organizationId,
        { destinationId: null, ruleId: 1e9, seenIn: null },
        { limit: 9, before: null },
      ),
    ).toEqual([]);
    const byFiring = await deliveries.findByFirings(scene.organizationId, firings, null);
    expect(byFiring.get(firings[4]!)).toEqual([all[0]]);
    const { organizationId } = await stores.createTenant();
    expect((await deliveries.findByFirings(organizationId, firings, null)).size).toBe(0);
  });

  test('the log of projects: what tells of them, without the count of others, and tests', async () => {
    const scene = await openScene();
    const { organizationId } = scene;
    const [chat, pager] = [await scene.newDestination(), await scene.newDestination('Pager')];
    const { projectId: other } = await stores.createProject(organizationId, 'other');
    const otherRule = await insertRule(stores.database.db, { organizationId, projectId: other });
    await scene.fire(chat, { issueId: null });
    const foreign = await insertFiring(
      stores.database.db,
      { organizationId, projectId: other, ruleId: otherRule },
      { issueId: null },
    );
    for (const receiver of [chat, pager]) {
      await joinDeliveries(stores.database.db, [{ firingId: foreign, organizationId, receiver }], NOON_MS);
    }
    const closing = (ruleId: number) =>
      stores.database.pool.query(
        `INSERT INTO deliveries (id, organization_id, kind, destination_id, subject, state, due_at, created_at)
         VALUES (gen_random_uuid(), $1, 'closing', $2, $3, 'sent', now(), now())`,
        [
          organizationId,
          pager.kind === 'destination' ? pager.destinationId : null,
          { kind: 'incidents', incidents: [{ kind: 'metric', id: ruleId }] },
        ],
      );
    await closing(scene.ruleId);
    await closing(otherRule);
    const seen = async (seenIn: readonly number[] | null) =>
      (
        await deliveries.list(
          organizationId,
          { destinationId: null, ruleId: null, seenIn },
          { limit: 9, before: null },
        )
      )
        .map(({ kind, firingsTotal, mentionsOthers }) => `${kind} ${firingsTotal} ${mentionsOthers}`)
        .toSorted();
    expect(await seen(null)).toEqual([
      'alert 1 false',
      'alert 2 false',
      'closing 0 false',
      'closing 0 false',
    ]);
    expect(await seen([scene.tenant.projectId])).toEqual(['alert 1 true', 'closing 0 false']);
    expect(await seen([other])).toEqual(['alert 1 false', 'alert 1 true', 'closing 0 false']);
    expect(await seen([])).toEqual([]);
    const [found] = (await deliveries.findByFirings(organizationId, [foreign], [other])).get(foreign)!;
    expect(found).toMatchObject({ firingsTotal: 1 });
  });

  test('what is finished is forgotten with time, and what is not stays', async () => {
    const scene = await openScene();
    const chat = await scene.newDestination();
    await scene.fire(chat);
    await scene.sendAll(NOON_MS);
    await scene.fire(chat);
    await deliveries.forget(NOON_MS + 1, 1_000);
    expect(await scene.list()).toMatchObject([{ state: 'open' }]);
  });
});
