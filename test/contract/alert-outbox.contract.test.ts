import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IssueFiring, OutboxEntry } from '#product/alerts/alert-outbox.ts';
import { createAlertOutboxStore } from '#product/alerts/store/alert-outbox-store.ts';
import { createAlertRuleStore } from '#product/alerts/store/alert-rule-store.ts';
import { createRegroupStore } from '#product/grouping/store/regroup-store.ts';
import type { EventHit } from '#storage/ports/digest.ts';
import { createDigestStore } from '#storage/postgres/digest/digest-store.ts';
import { describeOnPostgres } from './engines.ts';
import { openPostgresStores, type PostgresStores, type Tenant } from './postgres-stores.ts';
import { hashOf, MINUTE_MS, makeEvent, NOON_MS } from './sample-events.ts';

const QUIET_MS = 30 * MINUTE_MS;

describeOnPostgres('news for alert rules', (engine) => {
  let stores: PostgresStores;
  let tenant: Tenant;
  let ruleId: number;
  let hits: readonly EventHit[];
  const position = { value: 0 };
  beforeAll(async () => {
    stores = await openPostgresStores(engine);
    tenant = await stores.createTenant();
    const rule = await createAlertRuleStore(stores.database.db).create(
      tenant.organizationId,
      tenant.projectId,
      {
        name: 'Each event',
        environment: null,
        owner: null,
        definition: {
          kind: 'issue',
          triggers: ['event'],
          filters: [],
          filterMatch: 'all',
          frequencyMinutes: 30,
          receivers: [],
        },
      },
      null,
      NOON_MS,
    );
    ruleId = rule!.id;
  });
  afterAll(async () => {
    await stores?.database.drop();
  });

  const openDigest = () => createDigestStore(stores.database.db, undefined, () => hits);
  const hit = (verdict: EventHit['verdict'], ruleVersion = 1): EventHit => ({
    ruleId,
    ruleVersion,
    kind: 'event',
    verdict,
    frequencyMs: QUIET_MS,
  });
  const newsStore = () => createAlertOutboxStore(stores.database.db);

  /** Digests one event of the issue; answers its id. */
  async function digest(
    name: string,
    found: readonly EventHit[],
    digestStore = openDigest(),
    nowMs = NOON_MS,
  ): Promise<string> {
    hits = found;
    const hash = hashOf(name);
    const event = makeEvent({ ...tenant, groupingHash: hash, groupingHashes: [hash] });
    const from = position.value;
    position.value += 1;
    const result = await digestStore.assign(
      { spoolId: 'alerts', from, to: position.value },
      [event],
      [],
      [],
      nowMs,
    );
    expect(result.applied).toBe(true);
    return event.eventId;
  }

  /** What waits for the rule itself; the others are done with. */
  async function takeEvents(): Promise<readonly OutboxEntry[]> {
    const news = await newsStore().take(1_000);
    const others = news.filter((one) => one.hit === null);
    await newsStore().finish(others, [], NOON_MS, QUIET_MS);
    return news.filter((one) => one.hit !== null);
  }

  const firing = (news: OutboxEntry, change: Partial<IssueFiring> = {}): IssueFiring => ({
    entryId: news.id,
    ruleId,
    organizationId: tenant.organizationId,
    projectId: tenant.projectId,
    issueId: news.issueId,
    eventId: news.eventId,
    cause: 'event',
    firedAt: news.createdAt,
    quietSinceMs: news.createdAt - QUIET_MS,
    receivers: [],
    ...change,
  });
  const finishAll = async (news: readonly OutboxEntry[]) =>
    await newsStore().finish(
      news,
      news.map((one) => firing(one)),
      NOON_MS,
      QUIET_MS,
    );

  test('one piece of news waits for a rule and an issue, and the newer event takes its place', async () => {
    await digest('one', [hit('open')]);
    const second = await digest('one', [hit('unread')]);
    const [news, ...more] = await takeEvents();
    expect(more).toEqual([]);
    expect(news).toMatchObject({ eventId: second, kind: 'event', version: 1 });
    expect(news?.hit).toEqual({ ruleId, ruleVersion: 1, verdict: 'unread' });
    await finishAll([news!]);
  });

  test('an event that is known to fit keeps its place, unless the rule was changed', async () => {
    const first = await digest('two', [hit('fits')]);
    await digest('two', [hit('open')]);
    expect(await takeEvents()).toMatchObject([{ eventId: first }]);
    const changed = await digest('two', [hit('open', 2)]);
    const news = await takeEvents();
    expect(news).toMatchObject([{ eventId: changed }]);
    await finishAll(news);
  });

  test('what came between looking and finishing is looked at again', async () => {
    await digest('three', [hit('open')]);
    const seen = await takeEvents();
    await digest('three', [hit('open')]);
    await newsStore().finish(seen, [], NOON_MS, QUIET_MS);
    const again = await takeEvents();
    expect(again).toMatchObject([{ id: seen[0]!.id, version: 1 }]);
    await digest('three', [hit('open')]);
    expect(await finishAll(again), 'what fires is told all the same').toBe(1);
    expect(await takeEvents()).toEqual([]);
  });

  test('what fits is told once in the time of the rule, by one process', async () => {
    const store = openDigest();
    await digest('four', [hit('fits')], store);
    await finishAll(await takeEvents());
    await digest('four', [hit('fits')], store, NOON_MS + QUIET_MS - 1);
    expect(await takeEvents()).toEqual([]);
    await digest('four', [hit('fits')], store, NOON_MS + QUIET_MS);
    expect(await takeEvents()).toHaveLength(1);
    await finishAll(await takeEvents());
  });

  test('what fitted and was not told makes nobody quiet; what waits is as new as its event', async () => {
    const store = openDigest();
    await digest('dropped', [hit('fits')], store);
    await newsStore().finish(await takeEvents(), [], NOON_MS, QUIET_MS);
    await digest('dropped', [hit('open')], store, NOON_MS + MINUTE_MS);
    await digest('dropped', [hit('open')], store, NOON_MS + 2 * MINUTE_MS);
    const news = await takeEvents();
    expect(news).toMatchObject([{ createdAt: NOON_MS + 2 * MINUTE_MS }]);
    await finishAll(news);
    // A digest that has just been started asks what fired before.
    await digest('dropped', [hit('fits')], openDigest(), NOON_MS + 2 * MINUTE_MS + QUIET_MS - 1);
    expect(await takeEvents()).toEqual([]);
  });

  test('what may be the first of an issue in an environment keeps its place, and is asked once', async () => {
    const store = openDigest();
    const first = { ...hit('unread'), kind: 'first_seen' } as const;
    const eventId = await digest('first', [first], store);
    await digest('first', [first], store);
    await digest('first', [first]);
    const news = await takeEvents();
    expect(news).toMatchObject([{ kind: 'first_seen', eventId, version: 0 }]);
    await newsStore().finish(news, [], NOON_MS, QUIET_MS);
    await digest('first', [first], store);
    expect(await takeEvents()).toEqual([]);
  });

  test('a merge and its undo tell nothing twice: what is done stays done, and of what waits for a rule one stays', async () => {
    const regroups = createRegroupStore(stores.database.db);
    await digest('told', [hit('fits')]);
    const [told] = await takeEvents();
    await finishAll([told!]);
    await digest('waits', [hit('open')]);
    await digest('fits', [hit('fits')]);
    const [waiting, fitting] = await takeEvents();
    const targetId = waiting!.issueId;
    const change = await regroups.merge(
      tenant.organizationId,
      { targetId, issueIds: [told!.issueId, fitting!.issueId] },
      null,
      NOON_MS,
    );
    expect(await takeEvents()).toMatchObject([{ id: fitting!.id, issueId: targetId }]);
    await regroups.undo(tenant.organizationId, change.id, null, NOON_MS);
    const left = await takeEvents();
    expect(left).toMatchObject([{ id: fitting!.id, issueId: fitting!.issueId }]);
    await finishAll(left);
    const { rows } = await stores.database.pool.query(
      'SELECT count(*)::integer AS news, count(done_at)::integer AS done FROM outbox WHERE issue_id = $1',
      [told!.issueId],
    );
    // That it is new, and that it fits.
    expect(rows).toEqual([{ news: 2, done: 2 }]);
  });

  test('a batch writes so many pairs of rules and issues; what is beyond is one piece of news of the issue', async () => {
    const store = openDigest();
    const manyRules = (kind: EventHit['kind'], verdict: EventHit['verdict'], from: number, count: number) =>
      Array.from(
        { length: count },
        (_, index): EventHit => ({ ...hit(verdict), kind, ruleId: from + index }),
      );
    const first = manyRules('first_seen', 'unread', 30_000, 50);
    const fitting = manyRules('event', 'fits', 20_000, 50);
    const found = [...manyRules('event', 'open', 10_000, 2_500), ...fitting, ...first];
    await digest('crowded', found, store);
    const eventId = await digest('crowded', found, store);
    const listWaiting = async () => {
      const { rows } = await stores.database.pool.query<{ rule_id: string; count: number }>(
        `SELECT CASE WHEN rule_id = 0 THEN 'every' ELSE (rule_id / 10000)::text END AS rule_id, count(*)::int AS count
         FROM outbox WHERE done_at IS NULL AND rule_id IS NOT NULL GROUP BY 1 ORDER BY 1`,
      );
      return Object.fromEntries(rows.map((row) => [row.rule_id, row.count]));
    };
    // The second time what fits and what is settled needs no room: more of the others have news of their own.
    expect(await listWaiting()).toEqual({ 1: 2_000, 2: 50, 3: 50, every: 1 });
    const { rows } = await stores.database.pool.query(
      'UPDATE outbox SET done_at = now() WHERE done_at IS NULL AND rule_id <> 0 RETURNING 1',
    );
    expect(rows).toHaveLength(2_100);
    const news = (await newsStore().take(100)).filter(({ kind }) => kind === 'event');
    expect(news).toMatchObject([{ hit: null, eventId, version: 1 }]);
    await newsStore().finish(news, [], NOON_MS, QUIET_MS);
  });

  test('a batch that is undone leaves no news, and is told when it is done', async () => {
    const store = openDigest();
    const broken = createDigestStore(
      stores.database.db,
      () => {
        throw new Error('A defect');
      },
      () => [hit('fits')],
    );
    hits = [hit('fits')];
    const event = makeEvent({ ...tenant, groupingHash: hashOf('five'), groupingHashes: [hashOf('five')] });
    const stretch = { spoolId: 'alerts', from: position.value, to: position.value + 1 };
    await expect(broken.assign(stretch, [event], [], [], NOON_MS)).rejects.toThrow('A defect');
    expect(await takeEvents()).toEqual([]);
    await store.assign(stretch, [event], [], [], NOON_MS);
    position.value += 1;
    const news = await takeEvents();
    expect(news).toHaveLength(1);
    await finishAll(news);
  });

  test('news of an issue that is closed is none', async () => {
    await digest('six', [hit('fits')]);
    const news = await takeEvents();
    await finishAll(news);
    const change = { status: 'archived' } as const;
    await stores.issues.update(tenant.organizationId, [news[0]!.issueId], change, null, NOON_MS);
    await digest('six', [hit('fits')]);
    expect(await takeEvents()).toEqual([]);
  });

  test('of two that finish the same news, one counts', async () => {
    await digest('seven', [hit('fits')]);
    const news = await takeEvents();
    const fired = await Promise.all([finishAll(news), finishAll(news), finishAll(news)]);
    expect(fired.toSorted()).toEqual([0, 0, 1]);
  });

  test('a rule is quiet about an issue until its time is over', async () => {
    await digest('eight', [hit('open')]);
    const [news] = await takeEvents();
    expect(await finishAll([news!])).toBe(1);
    const last = await newsStore().findLastFired([{ ruleId, issueId: news!.issueId }]);
    expect(last.get(`${ruleId}:${news!.issueId}`)).toBe(NOON_MS);
    for (const [later, count] of [
      [QUIET_MS - 1, 0],
      [QUIET_MS, 1],
    ] as const) {
      await digest('eight', [hit('open')], openDigest(), NOON_MS + later);
      expect(await finishAll(await takeEvents())).toBe(count);
    }
  });

  test('a rule or an issue that is gone meanwhile fires nothing, and the others all the same', async () => {
    await digest('nine', [hit('fits')]);
    await digest('ten', [hit('fits')]);
    const [gone, kept] = await takeEvents();
    await stores.database.pool.query('DELETE FROM issues WHERE id = $1', [gone!.issueId]);
    const other = firing(kept!, { ruleId: ruleId + 1_000 });
    const fired = await newsStore().finish(
      [gone!, kept!],
      [firing(gone!), other, firing(kept!)],
      NOON_MS,
      QUIET_MS,
    );
    expect(fired).toBe(1);
  });
});
