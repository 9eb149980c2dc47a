import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { invalid } from '#lib/errors.ts';
import { deleteAlertRule } from '#product/alerts/change-alert-rules.ts';
import { listAlertRules } from '#product/alerts/list-alert-rules.ts';
import { hashOf, MINUTE_MS } from '../contract/sample-events.ts';
import { testInFull } from '../harness/is-full.ts';
import { type AlertScene, openAlertScene } from './alert-scene.ts';
import type { NewEvent } from './open-product.ts';

const OF_PRODUCTION = { environment: 'production' };
/** What it costs to find out that several issues, or one, are too much. */
const GIVEN_UP_AFTER_MS = { several: 2_000, single: 8_000 };

let scene: AlertScene;
beforeAll(async () => {
  scene = await openAlertScene();
});
afterAll(async () => {
  await scene?.close();
});
afterEach(async () => {
  const rules = await listAlertRules(scene.owner, { projectSlugs: [] });
  for (const { rule } of rules) await deleteAlertRule(scene.owner, rule.id);
  scene.later(2 * 60 * MINUTE_MS);
});

const eventOf = (title: string, input: Partial<NewEvent> = {}): Partial<NewEvent> => ({
  title,
  groupingHash: hashOf(title),
  groupingHashes: [hashOf(title)],
  ...input,
});

const findIssue = async (title: string) => (await scene.listIssues()).find((issue) => issue.title === title)!;

const titlesOf = async (ruleId: number): Promise<readonly string[]> => {
  const titles = new Map((await scene.listIssues()).map(({ id, title }) => [id, title]));
  return (await scene.firingsOf(ruleId)).map(({ issueId }) => titles.get(issueId ?? 0) ?? '').sort();
};

/** A store for which some issues are too much, and which takes its time to find that out. */
function slowFor(titles: readonly string[]) {
  const { alertEvents } = scene.stores;
  const looks: number[] = [];
  let slow: Promise<ReadonlySet<number>> | null = null;
  const check = async (issues: readonly { issueId: number }[]): Promise<void> => {
    slow ??= Promise.all(titles.map(findIssue)).then((found) => new Set(found.map(({ id }) => id)));
    const known = await slow;
    looks.push(issues.length);
    if (!issues.some(({ issueId }) => known.has(issueId))) return;
    scene.later(GIVEN_UP_AFTER_MS[issues.length > 1 ? 'several' : 'single']);
    throw invalid('It needs more than its time', 'query');
  };
  const events: typeof alertEvents = {
    ...alertEvents,
    countWindow: async (scope, issues, asked) => {
      await check(issues);
      return await alertEvents.countWindow(scope, issues, asked);
    },
    findFirstIn: async (scope, issues, asked) => {
      await check(issues);
      return await alertEvents.findFirstIn(scope, issues, asked);
    },
  };
  return { looks, stores: { alertEvents: events } };
}

testInFull(
  'an issue with too many events to be counted answers for itself alone, and is not tried again at once',
  async () => {
    const filters = [{ kind: 'event_count', above: 2, minutes: 60 }] as const;
    const rule = await scene.rule({ triggers: ['event'], filters });
    const titles = Array.from({ length: 12 }, (_, index) => `Counted ${index}`);
    const busy = titles.slice(0, 3);
    const store = slowFor(['Counted 5']);
    // Seen often enough, but not within the window.
    for (let round = 0; round < 3; round++) await scene.happen(...titles.map((title) => eventOf(title)));
    await scene.product.pool.query('UPDATE outbox SET done_at = now() WHERE done_at IS NULL');
    scene.later(2 * 60 * MINUTE_MS);
    for (let round = 0; round < 2; round++) await scene.happen(...busy.map((title) => eventOf(title)));
    await scene.happen(...titles.map((title) => eventOf(title)));
    await scene.evaluate(store.stores);
    expect(await titlesOf(rule.id)).toEqual([...busy, 'Counted 5'].sort());
    expect(store.looks[0]).toBe(12);
    expect(store.looks.length).toBeLessThan(12);

    const none = { filters, filterMatch: 'none' } as const;
    const other = await scene.rule({ triggers: ['event'], ...none });
    await scene.happen(eventOf('Counted 5'));
    await scene.evaluate(store.stores);
    const { length } = store.looks;
    await scene.happen(eventOf('Counted 5'));
    await scene.evaluate(store.stores);
    expect(store.looks).toHaveLength(length);
    expect(await titlesOf(other.id)).toEqual([]);
  },
);

testInFull(
  'an issue with too many events to find the first one is told once, and the others are judged rightly',
  async () => {
    const titles = ['Old there', 'New there', 'Too much'];
    await scene.happen(...titles.map((title) => eventOf(title, { environment: 'staging' })));
    await scene.happen(eventOf('Old there', OF_PRODUCTION));
    scene.later(30 * MINUTE_MS);
    const rule = await scene.rule({}, OF_PRODUCTION);
    const store = slowFor(['Too much']);
    const arrive = async () => {
      await scene.happen(...titles.map((title) => eventOf(title, OF_PRODUCTION)));
      await scene.evaluate(store.stores);
      return await titlesOf(rule.id);
    };
    expect(await arrive()).toEqual(['New there', 'Too much']);
    expect(store.looks.length).toBeGreaterThan(1);
    // A digest that has forgotten it asks again.
    await scene.restartDigest();
    scene.later(24 * 60 * MINUTE_MS);
    expect(await arrive()).toEqual(['New there', 'Too much']);
  },
);

testInFull(
  'what there was no time to count waits, is judged rightly later, and holds up nothing else',
  async () => {
    const filters = [{ kind: 'event_count', above: 0, minutes: 60 }] as const;
    const counting = await scene.rule({ triggers: ['event'], filters });
    const calm = await scene.rule({
      triggers: ['event'],
      filters: [{ ...filters[0], above: 1, minutes: 30 }],
    });
    const plain = await scene.rule();
    const titles = Array.from({ length: 20 }, (_, index) => `Waiting ${index}`);
    await scene.happen(...titles.map((title) => eventOf(title)));
    await scene.product.pool.query('UPDATE issues SET times_seen = 5 WHERE title LIKE $1', ['Waiting %']);
    const store = slowFor(titles.slice(10));
    const lookAt = async () => {
      const begun = scene.clock.nowMs;
      await scene.evaluate(store.stores);
      return scene.clock.nowMs - begun;
    };
    expect(await lookAt()).toBeLessThanOrEqual(30_000 / 2 + GIVEN_UP_AFTER_MS.single);
    expect(await titlesOf(plain.id)).toHaveLength(20);
    const settled = await titlesOf(counting.id);
    expect(settled.length).toBeLessThan(20);
    // The store is well again.
    while ((await scene.evaluate()) > 0);
    expect(await titlesOf(counting.id)).toEqual(titles.toSorted());
    expect(await titlesOf(calm.id)).toEqual([]);
  },
);

test('news waits for some minutes only', async () => {
  const filters = [{ kind: 'event_count', above: 0, minutes: 60 }] as const;
  const rule = await scene.rule({ triggers: ['event'], filters });
  const titles = Array.from({ length: 20 }, (_, index) => `Late ${index}`);
  await scene.happen(...titles.map((title) => eventOf(title)));
  const store = slowFor(titles);
  await scene.evaluate(store.stores);
  expect((await titlesOf(rule.id)).length).toBeLessThan(20);
  scene.later(5 * MINUTE_MS);
  await scene.evaluate(store.stores);
  expect(await titlesOf(rule.id)).toEqual(titles.toSorted());
  expect(await scene.evaluate()).toBe(0);
});

test('events of all hashes of an issue are counted together, those of other projects are not', async () => {
  const user = (id: string) => ({ user: { id, email: null, username: null, ip: null } });
  const hashes = [hashOf('one half'), hashOf('other half')] as const;
  const at = (hash: string, id: string) => ({
    ...eventOf('Halves', user(id)),
    groupingHash: hash,
    groupingHashes: [hash],
  });
  await scene.happen(
    at(hashes[0], 'u1'),
    at(hashes[0], 'u2'),
    at(hashes[1], 'u2'),
    eventOf('Beside', user('u3')),
  );
  const { stores, mine, web, clock } = scene;
  const scope = { organizationId: mine.id, projectIds: [web.id, web.id + 1] };
  const issues = [
    { issueId: 1, projectId: web.id + 1, hashes: [hashes[0]] },
    { issueId: 2, projectId: web.id, hashes: [...hashes] },
    { issueId: 3, projectId: web.id, hashes: [hashOf('Beside')] },
  ];
  const range = { fromMs: clock.nowMs - MINUTE_MS, toMs: clock.nowMs + MINUTE_MS };
  for (const environment of [null, 'production']) {
    const counts = await stores.alertEvents.countWindow(scope, issues, { range, environment });
    const found = environment === null ? { events: 3, users: 2 } : { events: 0, users: 0 };
    expect(counts).toMatchObject([
      { events: 0, users: 0 },
      found,
      environment === null ? { events: 1, users: 1 } : found,
    ]);
  }
});

test('news for every rule of the project is looked at by those that look at events', async () => {
  const fitting = await scene.rule({ triggers: ['event'] });
  const other = await scene.rule({
    triggers: ['event'],
    filters: [{ kind: 'level', match: 'equals', level: 'fatal' }],
  });
  await scene.happen(eventOf('Every rule'));
  await scene.product.pool.query('UPDATE outbox SET rule_id = 0 WHERE rule_id = $1', [fitting.id]);
  await scene.evaluate();
  expect(await titlesOf(fitting.id)).toEqual(['Every rule']);
  expect(await titlesOf(other.id)).toEqual([]);
});
