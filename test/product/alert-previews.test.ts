import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AlertFilter, MetricAlert } from '#domain/alerts/alert-rule.ts';
import { invalid, unavailable } from '#lib/errors.ts';
import { createLog } from '#lib/log.ts';
import { createAlertRule, snoozeAlertRule, updateAlertRule } from '#product/alerts/change-alert-rules.ts';
import { getAlertRule } from '#product/alerts/list-alert-rules.ts';
import { checkMetrics } from '#product/alerts/metrics/check-metrics.ts';
import { previewAlertRule } from '#product/alerts/preview/preview-alert-rule.ts';
import { updateIssues } from '#product/issues/update-issues.ts';
import type { Stores } from '#product/stores.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import { DAY_MS, HOUR_MS, hashOf, MINUTE_MS } from '../contract/sample-events.ts';
import { makeRow } from '../contract/sample-telemetry.ts';
import { testInFull } from '../harness/is-full.ts';
import { type AlertScene, openAlertScene } from './alert-scene.ts';

let scene: AlertScene;
beforeAll(async () => {
  scene = await openAlertScene();
});
afterAll(async () => {
  await scene?.close();
});

const named = (title: string, input: Partial<DigestedEvent> = {}): Partial<DigestedEvent> => ({
  title,
  groupingHash: hashOf(title),
  groupingHashes: [hashOf(title)],
  ...input,
});

describe('what a rule of issues would have done', () => {
  const preview = (
    definition: { triggers?: readonly string[]; filters?: readonly AlertFilter[]; frequencyMinutes?: number },
    environment: string | null = null,
  ) =>
    previewAlertRule(scene.owner, {
      projectSlug: 'web',
      environment,
      definition: {
        kind: 'issue',
        triggers: ['first_seen'],
        filters: [],
        filterMatch: 'all',
        frequencyMinutes: 60,
        receivers: [{ kind: 'owners', otherwise: 'nobody' }],
        ...definition,
      },
    });

  beforeAll(async () => {
    // Ten days of it: an issue a day, one of them hourly, and one that is resolved and comes back.
    for (let day = 0; day < 10; day++) {
      const level = day % 2 === 0 ? 'error' : 'warning';
      await scene.happen(named(`Day ${day}`, { level, environment: day < 5 ? 'production' : 'staging' }));
      for (let hour = 0; hour < 3; hour++) {
        const user = { id: `u${hour}`, email: null, username: null, ip: null };
        await scene.happen(named('Hourly', { user }), named('Hourly', { user }));
        scene.later(HOUR_MS);
      }
      if (day === 4) {
        const issue = (await scene.listIssues()).find(({ title }) => title === 'Day 0')!;
        await updateIssues(scene.owner, { issueIds: [issue.id], change: { status: 'resolved' } });
        scene.later(MINUTE_MS);
        await scene.happen(named('Day 0'));
      }
      scene.later(DAY_MS - 3 * HOUR_MS);
    }
  });

  test('new issues, exactly, by the day', async () => {
    const found = await preview({});
    expect(found).toMatchObject({ firings: 11, isEstimate: false, issuesTotal: 11, kind: 'issue' });
    expect(found.buckets.values.reduce<number>((sum, value) => sum + (value ?? 0), 0)).toBe(11);
    expect(found.buckets.values).toHaveLength(14);
    expect(found.issues).toHaveLength(10);
    expect(found.alarms).toHaveLength(11);
    expect(found.alarms.map(({ fromMs }) => fromMs)).toEqual(
      found.alarms.map(({ fromMs }) => fromMs).toSorted((one, other) => one - other),
    );
    expect(found.alarms.every(({ fromMs, toMs, shortId }) => fromMs === toMs && shortId !== null)).toBe(true);
  });

  test('those that came back', async () => {
    const found = await preview({ triggers: ['regression'] });
    expect(found.issues.map(({ title, firings }) => [title, firings])).toEqual([['Day 0', 1]]);
  });

  test('a filter of the event, and the environment', async () => {
    const level = { kind: 'level', match: 'equals', level: 'warning' } as const;
    expect((await preview({ filters: [level] })).firings).toBe(5);
    expect((await preview({}, 'staging')).firings).toBe(5);
    expect((await preview({ filters: [level] }, 'production')).firings).toBe(2);
  });

  test('the age at that time, and what is known only as it is now', async () => {
    const age = { kind: 'age', compare: 'older', minutes: 60 } as const;
    expect((await preview({ filters: [age] })).firings).toBe(0);
    expect((await preview({ triggers: ['regression'], filters: [age] })).firings).toBe(1);
    const seen = await preview({ triggers: ['regression'], filters: [{ kind: 'times_seen', atLeast: 2 }] });
    expect(seen).toMatchObject({ firings: 1, isEstimate: true });
  });

  test('each event, at most once in the time of the rule', async () => {
    expect((await preview({ triggers: ['event'] })).firings).toBe(10 + 1 + 30);
    const found = await preview({ triggers: ['event'], frequencyMinutes: 1_440 });
    expect(found.issues[0]).toMatchObject({ title: 'Hourly', firings: 10 });
  });

  test('counts in a window', async () => {
    const counted = async (filter: AlertFilter) =>
      (await preview({ triggers: ['event'], filters: [filter], frequencyMinutes: 1_440 })).issues;
    expect(await counted({ kind: 'event_count', above: 5, minutes: 240 })).toMatchObject([
      { title: 'Hourly', firings: 10 },
    ]);
    expect(await counted({ kind: 'event_count', above: 6, minutes: 240 })).toEqual([]);
    expect(await counted({ kind: 'user_count', above: 2, minutes: 240 })).toMatchObject([
      { title: 'Hourly', firings: 10 },
    ]);
    expect(await counted({ kind: 'user_count', above: 1, minutes: 30 })).toEqual([]);
  });
});

describe('metrics', () => {
  const metric = (change: Partial<MetricAlert>): MetricAlert => ({
    kind: 'metric',
    measure: 'events',
    query: '',
    windowMinutes: 10,
    direction: 'above',
    critical: 3,
    warning: 1,
    resolve: 0,
    receivers: [{ kind: 'user', userId: scene.owner.userId }],
    ...change,
  });
  const create = async (change: Partial<MetricAlert>, environment: string | null = null) => {
    const { rule } = await createAlertRule(scene.owner, {
      projectSlug: 'web',
      name: 'Metric',
      environment,
      owner: null,
      definition: metric(change),
    });
    return rule.id;
  };
  const check = async (alertEvents: Partial<Stores['alertEvents']> = {}) => {
    scene.later(MINUTE_MS);
    return await checkMetrics({
      stores: { ...scene.stores, alertEvents: { ...scene.stores.alertEvents, ...alertEvents } },
      now: () => scene.clock.nowMs,
      log: createLog('test', 'fatal'),
    });
  };
  const metricOf = async (ruleId: number) => (await getAlertRule(scene.owner, ruleId)).rule.metric;

  test('each change of its state fires once, and is told', async () => {
    const ruleId = await create({ query: 'level:fatal' });
    const fatal = named('Fatal', { level: 'fatal' });
    const states: (string | undefined)[] = [];
    const step = async (...events: readonly Partial<DigestedEvent>[]) => {
      await scene.happen(...events, named('Other'));
      await check();
      states.push((await metricOf(ruleId))?.state);
    };
    await step();
    await step(fatal, fatal);
    await step();
    await step(fatal, fatal);
    scene.later(7 * MINUTE_MS);
    await step();
    scene.later(10 * MINUTE_MS);
    await step();
    expect(states).toEqual(['ok', 'warning', 'warning', 'critical', 'warning', 'ok']);
    const fired = await scene.firingsOf(ruleId);
    expect(fired.map(({ cause, value, issueId }) => [cause, value, issueId])).toEqual([
      ['warning', 2, null],
      ['critical', 4, null],
      ['warning', 2, null],
      ['ok', 0, null],
    ]);
    expect(await scene.notifiedBy(ruleId)).toHaveLength(4);
    expect(await check()).toMatchObject({ changed: 0 });
  });

  test('users, of an environment', async () => {
    const ruleId = await create({ measure: 'users' }, 'production');
    const by = (id: string, environment: string) =>
      named('Users', { environment, user: { id, email: null, username: null, ip: null } });
    await scene.happen(by('a', 'production'), by('b', 'production'), by('b', 'production'), by('c', 'test'));
    await check();
    expect(await metricOf(ruleId)).toMatchObject({ state: 'warning', value: 2, problem: null });
  });

  test('shares of sessions and transactions; nothing to measure is not zero', async () => {
    const below = { direction: 'below', critical: 60, warning: null, resolve: null } as const;
    const sessions = await create({ ...below, measure: 'crash_free_sessions', query: 'release:web@1' });
    const users = await create({ ...below, measure: 'crash_free_users' });
    const few = await create({ ...below, measure: 'crash_free_sessions', minimumSessions: 1_000 });
    const failures = await create({
      measure: 'failure_rate',
      query: 'transaction:/pay',
      critical: 40,
      warning: null,
      resolve: null,
    });
    await check();
    expect(await metricOf(sessions)).toMatchObject({ state: 'ok', value: null });
    expect(await metricOf(failures)).toMatchObject({ state: 'ok', value: null });
    const origin = { organizationId: scene.mine.id, projectId: scene.web.id };
    const startedAt = scene.clock.nowMs;
    const session = (crashed: number, distinctIdHash: string, release = 'web@1') =>
      makeRow('sessions', {
        ...origin,
        sessionId: randomBytes(16).toString('hex'),
        startedAt,
        occurredAt: startedAt,
        exited: 1 - crashed,
        errored: 0,
        crashed,
        abnormal: 0,
        unhandled: 0,
        distinctIdHash,
        release,
      });
    const transaction = (status: string, name = '/pay') =>
      makeRow('transactions', { ...origin, name, status, startedAtUs: startedAt * 1_000 });
    await scene.stores.telemetry.insert(
      {
        sessions: [session(1, 'a'), session(0, 'a'), session(1, 'b'), session(0, 'c', 'web@2')],
        transactions: [
          transaction('ok'),
          transaction('internal_error'),
          transaction('cancelled'),
          transaction('internal_error', '/other'),
          transaction('internal_error', '/other'),
        ],
      },
      'metrics',
    );
    await check();
    expect(await metricOf(sessions)).toMatchObject({ state: 'critical', value: 100 / 3 });
    expect(await metricOf(users)).toMatchObject({ state: 'critical', value: 100 / 3 });
    expect(await metricOf(few)).toMatchObject({ state: 'ok', value: null });
    expect(await metricOf(failures)).toMatchObject({ state: 'ok', value: 100 / 3 });
  });

  test('a search that its rows cannot answer is refused, and one that became wrong says so', async () => {
    await expect(create({ measure: 'crash_free_users', query: 'level:error' })).rejects.toThrow(
      'Sessions can only be filtered by release, environment',
    );
    await scene.happen(named('Gone'));
    const issue = (await scene.listIssues()).find(({ title }) => title === 'Gone')!;
    const ruleId = await create({ query: `issue:${issue.shortId}` });
    await scene.product.pool.query('DELETE FROM issues WHERE id = $1', [issue.id]);
    await check();
    expect((await metricOf(ruleId))?.problem).toContain(issue.shortId);
    await updateAlertRule(scene.owner, ruleId, {
      name: 'Metric',
      environment: null,
      owner: null,
      definition: metric({}),
    });
    await check();
    expect((await metricOf(ruleId))?.problem).toBeNull();
  });

  testInFull(
    'a snoozed one is not looked at, also when it is put to rest meanwhile; awake it tells what it has become',
    async () => {
      const ruleId = await create({ query: 'message:Asleep' });
      await check();
      await snoozeAlertRule(scene.owner, ruleId, Number.POSITIVE_INFINITY);
      await scene.happen(named('Asleep', { message: 'Asleep' }), named('Asleep', { message: 'Asleep' }));
      await check();
      expect(await scene.firingsOf(ruleId)).toEqual([]);
      await snoozeAlertRule(scene.owner, ruleId, null);
      const snoozeMeanwhile: Partial<Stores['alertEvents']> = {
        async measure(...asked) {
          await snoozeAlertRule(scene.owner, ruleId, scene.clock.nowMs + HOUR_MS);
          return await scene.stores.alertEvents.measure(...asked);
        },
      };
      await check(snoozeMeanwhile);
      expect(await scene.firingsOf(ruleId)).toEqual([]);
      await snoozeAlertRule(scene.owner, ruleId, null);
      await check();
      expect(await scene.causesOf(ruleId)).toEqual(['warning']);
    },
  );

  test('one that cannot be measured does not keep the others from it; while the store is away all wait', async () => {
    const ids = [await create({ windowMinutes: 7 }), await create({ windowMinutes: 8 })];
    const failing = (error: Error): Partial<Stores['alertEvents']> => ({
      measure: (scope, asked) =>
        asked.bucketMs === 7 * MINUTE_MS
          ? Promise.reject(error)
          : scene.stores.alertEvents.measure(scope, asked),
    });
    await check(failing(new Error('a fault of the store')));
    const [broken, well] = [await metricOf(ids[0]!), await metricOf(ids[1]!)];
    expect(broken?.problem).toContain('see the server log for details');
    expect(well).toMatchObject({ problem: null, checkedAt: scene.clock.nowMs });
    await expect(check(failing(unavailable('gone')))).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('a function that takes too much is given up, and says so on the rule', async () => {
    const measure = { dataset: 'spans', function: 'p95(span.duration)' } as const;
    const ids = [await create({ measure, windowMinutes: 7 }), await create({ measure, windowMinutes: 8 })];
    scene.later(MINUTE_MS);
    const { rowExplore } = scene.stores;
    await checkMetrics({
      stores: {
        ...scene.stores,
        rowExplore: {
          ...rowExplore,
          series: (scope, asked, chart) =>
            chart.bucketMs === 7 * MINUTE_MS
              ? Promise.reject(invalid('The search exceeded 10 seconds', 'query'))
              : rowExplore.series(scope, asked, chart),
        },
      },
      now: () => scene.clock.nowMs,
      log: createLog('test', 'fatal'),
    });
    expect(await metricOf(ids[0]!)).toMatchObject({
      state: 'ok',
      value: null,
      problem: 'The search exceeded 10 seconds',
    });
    expect(await metricOf(ids[1]!)).toMatchObject({ problem: null, checkedAt: scene.clock.nowMs });
  });

  test('the preview goes through the windows of 14 days', async () => {
    const found = await previewAlertRule(scene.owner, {
      projectSlug: 'web',
      environment: null,
      definition: metric({ query: 'message:Nothing', windowMinutes: 60 }),
    });
    expect(found).toMatchObject({ kind: 'metric', firings: 0, isEstimate: true, issues: [] });
    expect(found.buckets.values).toEqual(Array(336).fill(0));
    const hourly = await previewAlertRule(scene.owner, {
      projectSlug: 'web',
      environment: null,
      definition: metric({ query: 'title:Hourly', windowMinutes: 1_440, critical: 5, warning: null }),
    });
    expect(hourly.buckets.values).toHaveLength(14);
    expect(hourly.firings).toBeGreaterThan(0);
    expect(hourly.states).toContain('critical');
    expect(hourly.alarmsTotal).toBe(hourly.firings);
    expect(hourly.alarms).toHaveLength(hourly.firings);
    const [first] = hourly.alarms;
    expect(first).toMatchObject({ state: 'critical', worst: 6, shortId: null });
    // By whole windows, within the time that was looked at.
    expect((first!.fromMs - hourly.range.fromMs) % DAY_MS).toBe(0);
    expect(first!.toMs ?? hourly.range.toMs).toBeLessThanOrEqual(hourly.range.toMs);
    const warned = await previewAlertRule(scene.owner, {
      projectSlug: 'web',
      environment: null,
      definition: metric({ query: 'title:Hourly', windowMinutes: 1_440, critical: 5, warning: 1 }),
    });
    const changes = warned.states.filter((state, index) => {
      const before = warned.states[index - 1] ?? 'ok';
      return state !== before && state !== 'ok' && before !== 'ok';
    });
    expect(changes.length).toBeGreaterThan(0);
    expect(warned.firings).toBe(warned.alarmsTotal + changes.length);
  });
});
