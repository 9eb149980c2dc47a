import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MetricAlert } from '#domain/alerts/alert-rule.ts';
import { createLog } from '#lib/log.ts';
import { deleteAlertRule, setAlertRuleEnabled } from '#product/alerts/change-alert-rules.ts';
import { ENTRIES_PER_BATCH, evaluateOutbox } from '#product/alerts/evaluate/evaluate-outbox.ts';
import { CountMemory } from '#product/alerts/evaluate/judge-counts.ts';
import { RETRY_MS } from '#product/deliveries/delivery-parts.ts';
import { updateIssues } from '#product/issues/update-issues.ts';
import { notifyActivities } from '#product/notifications/notify-activities.ts';
import { insertRule } from '../contract/alert-scene.ts';
import { HOUR_MS, MINUTE_MS } from '../contract/sample-events.ts';
import { testInFull } from '../harness/is-full.ts';
import { type DeliveryScene, openDeliveryScene } from './delivery-scene.ts';

let scene: DeliveryScene;
beforeAll(async () => {
  scene = await openDeliveryScene();
});
afterAll(async () => {
  await scene?.close();
});
beforeEach(async () => {
  // Far enough from the test before: nothing of its budgets or retries is left.
  scene.clock.nowMs += 12 * HOUR_MS;
  await scene.sendDue();
  scene.posted.length = 0;
  scene.answers.post = { kind: 'sent', status: 202 };
});

/** Sends what is due; what pagers were told by it: the action and the key of the incident. */
async function pages(): Promise<readonly (readonly [string, string])[]> {
  scene.posted.length = 0;
  // One message of a destination at a time.
  while ((await scene.sendDue()).length > 0);
  return scene.posted
    .filter(({ kind }) => kind === 'pagerduty')
    .flatMap(({ parts }) => parts)
    .map(({ body }) => body as { event_action: string; dedup_key: string })
    .map(({ event_action, dedup_key }) => [event_action, dedup_key] as const);
}

async function resolve(...issueIds: readonly number[]): Promise<void> {
  const ctx = await scene.join(scene.organization, 'member');
  await updateIssues(ctx, { issueIds, change: { status: 'resolved' } });
  await notifyActivities(scene.stores, scene.clock.nowMs);
}

/** Two issues that a pager was told of with one message; `key` is that of their incident. */
async function tellTwo(name: string) {
  const pager = await scene.newDestination('pagerduty');
  const [a, b] = [
    (await scene.newIssue(`${name}: a`)).issue.id,
    (await scene.newIssue(`${name}: b`)).issue.id,
  ];
  for (const issueId of [a, b]) await scene.fire(pager, { issueId });
  const [[, key] = ['', '']] = await pages();
  expect(key).toMatch(/^errata-message-/);
  return { a, b, key };
}

const merge = (targetId: number, issueId: number) =>
  scene.stores.regroups.merge(
    scene.organization.id,
    { targetId, issueIds: [issueId] },
    null,
    scene.clock.nowMs,
  );

testInFull(
  'the incident of several that became one issue is closed with it, by the key that it was opened with',
  async () => {
    const { a, b, key } = await tellTwo('Merged');
    await merge(b, a);
    await resolve(b);
    expect(await pages()).toEqual([['resolve', key]]);
  },
);

testInFull('an issue that is deleted is over: alone, and as the last of several', async () => {
  const { a, b, key } = await tellTwo('Deleted');
  const pager = await scene.newDestination('pagerduty');
  await scene.fire(pager, { issueId: a });
  await pages();
  await resolve(b);
  expect(await pages()).toEqual([]);
  await scene.stores.issueDeletions.deleteIssues(
    scene.organization.id,
    [a],
    { discard: false },
    null,
    scene.clock.nowMs,
  );
  expect((await pages()).toSorted()).toEqual([
    ['resolve', `errata-issue-${a}`],
    ['resolve', key],
  ]);
});

testInFull(
  'a try that comes after its issue was merged is told as long as the other one is open, and closed with it',
  async () => {
    const pager = await scene.newDestination('pagerduty');
    const [a, b] = [(await scene.newIssue('Late: a')).issue.id, (await scene.newIssue('Late: b')).issue.id];
    await scene.fire(pager, { issueId: a });
    scene.answers.post = { kind: 'try_later', status: 503, reason: 'away', afterMs: null };
    await pages();
    await merge(b, a);
    scene.clock.nowMs += RETRY_MS[0]!;
    scene.answers.post = { kind: 'sent', status: 202 };
    expect(await pages()).toEqual([['trigger', `errata-issue-${a}`]]);
    await resolve(b);
    expect(await pages()).toEqual([['resolve', `errata-issue-${a}`]]);
  },
);

test('an issue that comes back opens its incident again, however lately it was told; nobody else is told again', async () => {
  const receivers = [await scene.newDestination('pagerduty'), await scene.newDestination()];
  const [, chat] = receivers;
  const tenant = { organizationId: scene.organization.id, projectId: scene.shop.id };
  const ruleId = await insertRule(scene.db, tenant, {
    name: 'Pages',
    definition: {
      kind: 'issue',
      triggers: ['first_seen', 'regression'],
      filters: [],
      filterMatch: 'all',
      frequencyMinutes: 60,
      receivers,
    },
  });
  const counts = new CountMemory();
  const happen = async () => {
    const { issue } = await scene.newIssue('It comes back');
    const log = createLog('test', 'fatal');
    const { stores, faults, now } = scene.parts;
    await evaluateOutbox({ stores, faults, log, now, counts }, ENTRIES_PER_BATCH);
    return issue;
  };
  const { id } = await happen();
  const key = `errata-issue-${id}`;
  expect(await pages()).toEqual([['trigger', key]]);
  for (let round = 0; round < 2; round++) {
    scene.clock.nowMs += 5 * MINUTE_MS;
    await resolve(id);
    expect(await pages()).toEqual([['resolve', key]]);
    scene.clock.nowMs += 5 * MINUTE_MS;
    expect(await happen()).toMatchObject({ id, substatus: 'regressed' });
    expect(await pages()).toEqual([['trigger', key]]);
    expect(scene.posted.map(({ kind }) => kind)).toEqual(['pagerduty']);
    // It goes on: nothing new for anybody.
    scene.clock.nowMs += MINUTE_MS;
    await happen();
    expect(await pages()).toEqual([]);
  }
  const page = { limit: 1, before: null };
  const [firing] = await scene.stores.alertRules.listFirings(scene.organization.id, [ruleId], page);
  expect(firing).toMatchObject({
    cause: 'regression',
    withheld: [{ receiver: chat, reason: 'told_recently' }],
  });
});

test('a metric that nobody looks at any more is over, and begins anew once somebody does', async () => {
  const pager = await scene.newDestination('pagerduty');
  const owner = await scene.join(scene.organization, 'owner');
  const definition: MetricAlert = {
    kind: 'metric',
    measure: 'events',
    query: '',
    windowMinutes: 10,
    direction: 'above',
    critical: 5,
    warning: null,
    resolve: null,
    receivers: [pager],
  };
  const tenant = { organizationId: scene.organization.id, projectId: scene.shop.id };
  const ruleId = await insertRule(scene.db, tenant, { name: 'Too many', definition });
  const key = `errata-metric-${ruleId}`;
  const reach = async (state: 'ok' | 'critical') => {
    await scene.pool.query(
      'UPDATE alert_rules SET metric_state = $2, metric_checked_at = now() WHERE id = $1',
      [ruleId, state],
    );
    await scene.fire(pager, { issueId: null, cause: state, value: 7 }, { projectId: scene.shop.id, ruleId });
  };
  await reach('critical');
  expect(await pages()).toEqual([['trigger', key]]);
  await setAlertRuleEnabled(owner, ruleId, false);
  expect(await pages()).toEqual([['resolve', key]]);
  const enabled = await setAlertRuleEnabled(owner, ruleId, true);
  expect(enabled.rule.metric).toBeNull();

  // What could not be told in time is not told of a rule that rests.
  await reach('critical');
  await setAlertRuleEnabled(owner, ruleId, false);
  expect((await pages()).filter(([action]) => action === 'trigger')).toEqual([]);
  await setAlertRuleEnabled(owner, ruleId, true);

  scene.clock.nowMs += HOUR_MS;
  await reach('critical');
  expect(await pages()).toEqual([['trigger', key]]);
  await deleteAlertRule(owner, ruleId);
  expect(await pages()).toEqual([['resolve', key]]);
  expect((await scene.log()).find(({ kind }) => kind === 'closing')?.content).toEqual({
    summary: 'Closes 1 incident: the metric is no longer monitored',
  });
});
