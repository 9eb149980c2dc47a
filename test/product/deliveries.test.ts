import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MetricAlert } from '#domain/alerts/alert-rule.ts';
import { LEASE_MS, RETRY_MS } from '#product/deliveries/delivery-parts.ts';
import { sendDelivery, takeDue } from '#product/deliveries/send-delivery.ts';
import { updateIssues } from '#product/issues/update-issues.ts';
import { notifyActivities } from '#product/notifications/notify-activities.ts';
import { saveRelease } from '#product/releases/save-release.ts';
import { insertRule } from '../contract/alert-scene.ts';
import { HOUR_MS, hashOf, makeEvent, NOON_MS } from '../contract/sample-events.ts';
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
  scene.mailed.length = 0;
  scene.answers.post = { kind: 'sent', status: 200 };
  scene.answers.mail = { kind: 'sent' };
  scene.answers.isMailConfigured = true;
});

const bodyText = (index = 0): string => JSON.stringify(scene.posted[index]?.parts);

const setMetric = (ruleId: number, state: string) =>
  scene.pool.query('UPDATE alert_rules SET metric_state = $2 WHERE id = $1', [ruleId, state]);

/** An event with a stack, in the user's own code. */
const withStack = () => {
  const { payload } = makeEvent({ organizationId: 1, projectId: 1 });
  const frames = [{ function: 'applyCoupon', filename: 'checkout/cart.ts', lineno: 84, in_app: true }];
  return { ...payload, exception: { values: [{ type: 'TypeError', value: 'x', stacktrace: { frames } }] } };
};

describe('what is told', () => {
  test('of one issue: what, where, how many, since when, which release and environment, and the link', async () => {
    const chat = await scene.newDestination();
    const user = (id: string) => ({ user: { id, email: null, username: null, ip: null } });
    const { issue, eventId } = await scene.newIssue('Coupon is gone', [
      { ...user('1'), tags: [['user', 'id:1']] },
      {
        ...user('2'),
        release: 'shop@2.0.0',
        environment: 'production',
        payload: withStack(),
        tags: [['user', 'id:2']],
      },
    ]);
    await scene.fire(chat, { issueId: issue.id, eventId });
    expect(await scene.sendDue()).toEqual([{ state: 'sent', reason: null }]);
    for (const told of [
      'New issue: Coupon is gone',
      issue.shortId,
      'applyCoupon in checkout/cart.ts:84',
      '2 events, 2 users',
      'shop@2.0.0',
      'production',
      'New in shop',
      `https://errors.example.com/${scene.organization.slug}/issues/${issue.shortId}`,
    ]) {
      expect(bodyText()).toContain(told);
    }
    expect(await scene.log()).toMatchObject([
      { state: 'sent', attempts: 1, lastStatus: 200, content: { summary: 'New issue: Coupon is gone' } },
    ]);
  });

  test('of one issue: the commit that may have caused it, in chats and mails', async () => {
    const ana = await scene.join(scene.organization, 'member');
    const release = 'shop@3.0.0';
    const { issue, eventId } = await scene.newIssue('Coupon is blamed', [{ release, payload: withStack() }]);
    const commit = { repository: 'acme/shop', authorName: 'Ada' };
    await saveRelease(ana, {
      version: release,
      projectSlugs: ['shop'],
      change: {},
      commits: [
        {
          ...commit,
          id: 'c1',
          message: 'Let coupons expire',
          files: [{ path: 'checkout/cart.ts', type: 'M' }],
        },
        { ...commit, id: 'c2', message: 'Paint the menu', files: [{ path: 'menu.ts', type: 'M' }] },
      ],
    });
    for (const receiver of [await scene.newDestination(), { kind: 'user', userId: ana.userId } as const]) {
      await scene.fire(receiver, { issueId: issue.id, eventId });
    }
    await scene.sendDue();
    for (const told of [bodyText(), scene.mailed[0]?.text, scene.mailed[0]?.html]) {
      expect(told).toContain('Suspect commit');
      expect(told).toContain('Let coupons expire (Ada)');
      expect(told).not.toContain('Paint the menu');
    }
  });

  test('of several together: each by its name and how often, with a search that shows them', async () => {
    const chat = await scene.newDestination();
    for (const name of ['One', 'Two', 'Three']) {
      const { issue } = await scene.newIssue(`${name} of three`);
      await scene.fire(chat, { issueId: issue.id, cause: name === 'Two' ? 'regression' : 'first_seen' });
    }
    await scene.sendDue();
    expect(scene.posted).toHaveLength(1);
    for (const told of [
      '3 issues in shop',
      'New issue: One of three',
      'Regressed: Two of three',
      'lastSeen%3A%3E%3D',
    ]) {
      expect(bodyText()).toContain(told);
    }
  });

  test('a storm is one message that says so, names twenty and counts the others', async () => {
    const chat = await scene.newDestination();
    const names = Array.from({ length: 25 }, (_, index) => `Storm ${index}`);
    await scene.ingest(
      scene.organization,
      [...names, ...names.slice(24), ...names.slice(24)].map((title) => ({
        projectId: scene.shop.id,
        title,
        groupingHash: hashOf(title),
        occurredAt: scene.clock.nowMs,
      })),
    );
    for (const name of names) {
      const issue = await scene.stores.issues.findByHash(scene.organization.id, scene.shop.id, hashOf(name));
      await scene.fire(chat, { issueId: issue!.id });
    }
    await scene.sendDue();
    expect(scene.posted).toHaveLength(1);
    expect(bodyText()).toContain('Alert storm: 25 issues in shop');
    expect(bodyText()).toContain('and 5 more issues');
    expect(bodyText()).toContain('firstSeen%3A%3E%3D');
    // The most frequent is named.
    expect(bodyText()).toContain('Storm 24');
    expect(bodyText().match(/New issue: Storm \d+/g)).toHaveLength(20);
  });

  test('of a metric: what it is, and what it should be', async () => {
    const chat = await scene.newDestination('pagerduty');
    const definition: MetricAlert = {
      kind: 'metric',
      measure: 'failure_rate',
      query: 'level:error',
      windowMinutes: 10,
      direction: 'above',
      critical: 5,
      warning: 2,
      resolve: null,
      receivers: [chat],
    };
    const tenant = { organizationId: scene.organization.id, projectId: scene.shop.id };
    const ruleId = await insertRule(scene.db, tenant, { name: 'Too slow', definition });
    await setMetric(ruleId, 'critical');
    await scene.fire(
      chat,
      { issueId: null, cause: 'critical', value: 7.25 },
      { projectId: scene.shop.id, ruleId },
    );
    await scene.sendDue();
    for (const told of [
      'Critical: Too slow',
      '7.25',
      'more than 5% failed transactions within 10 minutes',
      `errata-metric-${ruleId}`,
    ]) {
      expect(bodyText()).toContain(told);
    }
  });

  test('a webhook has the whole event, also of several issues', async () => {
    const hook = await scene.newDestination('webhook');
    for (const name of ['First hook', 'Second hook']) {
      const { issue, eventId } = await scene.newIssue(name, [{ payload: withStack() }]);
      await scene.fire(hook, { issueId: issue.id, eventId });
    }
    await scene.sendDue();
    expect(scene.posted[0]?.parts).toMatchObject([
      {
        resource: 'event_alert',
        body: {
          data: {
            event: {
              exception: { values: [{ stacktrace: { frames: [{ filename: 'checkout/cart.ts' }] } }] },
            },
            errata: { issues: [{ title: 'First hook' }, { title: 'Second hook' }] },
          },
        },
      },
    ]);
  });
});

describe('a pager', () => {
  type Page = { event_action: string; dedup_key: string };
  const pages = (): readonly (readonly [string, string])[] =>
    scene.posted
      .flatMap(({ parts }) => parts)
      .map(({ body }) => body as Page)
      .map(({ event_action, dedup_key }) => [event_action, dedup_key] as const);
  const change = async (issueIds: readonly number[], status: 'resolved' | 'unresolved') => {
    const ctx = await scene.join(scene.organization, 'member');
    await updateIssues(ctx, { issueIds, change: { status } });
    await notifyActivities(scene.stores, scene.clock.nowMs);
  };
  const resolve = (...ids: readonly number[]) => change(ids, 'resolved');

  test('is told when the issue of an incident is resolved, and nobody else is', async () => {
    const [pager, chat] = [await scene.newDestination('pagerduty'), await scene.newDestination()];
    const { issue } = await scene.newIssue('Pager: one');
    for (const receiver of [pager, chat]) await scene.fire(receiver, { issueId: issue.id });
    await scene.sendDue();
    scene.posted.length = 0;
    await resolve(issue.id);
    expect(await scene.sendDue()).toEqual([{ state: 'sent', reason: null }]);
    expect(pages()).toEqual([['resolve', `errata-issue-${issue.id}`]]);
    expect((await scene.log()).find(({ kind }) => kind === 'closing')).toMatchObject({
      content: { summary: 'Closes 1 incident: what it reported is resolved, archived, or deleted' },
    });
  });

  test('several that came together are over when the last of them is', async () => {
    const pager = await scene.newDestination('pagerduty');
    const issues = [(await scene.newIssue('Pager: two')).issue, (await scene.newIssue('Pager: three')).issue];
    for (const { id } of issues) await scene.fire(pager, { issueId: id });
    await scene.sendDue();
    const [, key = ''] = pages()[0]!;
    scene.posted.length = 0;
    await resolve(issues[0]!.id);
    expect(await scene.sendDue()).toEqual([]);
    await resolve(issues[1]!.id);
    await scene.sendDue();
    expect([key, pages()]).toEqual([expect.stringMatching(/^errata-message-/), [['resolve', key]]]);
  });

  test('a try that comes late opens nothing that is over, and closes nothing that began again', async () => {
    const pager = await scene.newDestination('pagerduty');
    const { issue } = await scene.newIssue('Pager: late');
    scene.answers.post = { kind: 'try_later', status: 503, reason: 'away', afterMs: null };
    await scene.fire(pager, { issueId: issue.id });
    await scene.sendDue();
    await resolve(issue.id);
    scene.clock.nowMs += RETRY_MS[0]!;
    scene.posted.length = 0;
    await scene.sendDue();
    scene.clock.nowMs += RETRY_MS[0]!;
    await scene.sendDue();
    expect(pages().filter(([action]) => action === 'trigger')).toEqual([]);
    expect((await scene.log()).map(({ kind, state, lastError }) => [kind, state, lastError])).toContainEqual([
      'alert',
      'dropped',
      'The message is no longer relevant',
    ]);
    // Its end could not be told yet, and is not true any more.
    await change([issue.id], 'unresolved');
    scene.answers.post = { kind: 'sent', status: 202 };
    scene.posted.length = 0;
    scene.clock.nowMs += HOUR_MS;
    await scene.sendDue();
    expect(pages()).toEqual([]);
  });
});

describe('mails', () => {
  test('go to where the member is reached now, and can be stopped with one click', async () => {
    const ana = await scene.join(scene.organization, 'member');
    const { issue } = await scene.newIssue('A mail <b>');
    await scene.fire({ kind: 'user', userId: ana.userId }, { issueId: issue.id });
    expect(await scene.sendDue()).toEqual([{ state: 'sent', reason: null }]);
    const [mail] = scene.mailed;
    expect(mail).toMatchObject({
      to: ana.email,
      subject: `[${scene.organization.slug}] New issue: A mail <b>`,
      id: (await scene.log())[0]?.id,
    });
    expect(mail?.html).toContain('A mail &lt;b&gt;');
    expect(mail?.html).not.toContain('<b>');
    expect(mail?.text).toContain(`/issues/${issue.shortId}`);
    expect(scene.parts.unsubscribeLinks.read(mail!.unsubscribeUrl!.split('/').at(-1)!)).toEqual({
      userId: ana.userId,
      organizationId: scene.organization.id,
      kind: 'alerts',
    });
  });

  test('whoever left meanwhile, or may not see the project, gets none', async () => {
    const [left, outside] = [
      await scene.join(scene.organization, 'member'),
      await scene.join(scene.organization, 'member'),
    ];
    const { issue } = await scene.newIssue('Not for everybody');
    for (const { userId } of [left, outside])
      await scene.fire({ kind: 'user', userId }, { issueId: issue.id });
    await scene.stores.members.remove(scene.organization.id, left.userId);
    await scene.stores.organizations.update(scene.organization.id, { isOpen: false }, NOON_MS);
    const fates = await scene.sendDue();
    await scene.stores.organizations.update(scene.organization.id, { isOpen: true }, NOON_MS);
    expect(fates.map(({ state }) => state)).toEqual(fates.map(() => 'dropped'));
    expect(fates.length).toBeGreaterThan(0);
    expect(scene.mailed).toEqual([]);
  });

  test('without a mail server they fail, and the log says what to do', async () => {
    const ana = await scene.join(scene.organization, 'member');
    scene.answers.isMailConfigured = false;
    scene.answers.mail = { kind: 'not_sent', reason: 'No mail server: ERRATA_SMTP_URL', isFinal: true };
    const { issue } = await scene.newIssue('Nobody mails');
    await scene.fire({ kind: 'user', userId: ana.userId }, { issueId: issue.id });
    expect(await scene.sendDue()).toEqual([{ state: 'failed', reason: 'No mail server: ERRATA_SMTP_URL' }]);
  });

  test('wait while the mail server is away, and say the same with the same id when it is back', async () => {
    const ana = await scene.join(scene.organization, 'member');
    const { issue } = await scene.newIssue('A mail that waits');
    await scene.fire({ kind: 'user', userId: ana.userId }, { issueId: issue.id });
    scene.answers.mail = { kind: 'not_sent', reason: 'It is away', isFinal: false };
    expect(await scene.sendDue()).toEqual([{ state: 'later', reason: 'It is away' }]);
    scene.answers.mail = { kind: 'sent' };
    scene.clock.nowMs += RETRY_MS[0]! - 1;
    expect(await scene.sendDue()).toEqual([]);
    scene.clock.nowMs += 1;
    expect(await scene.sendDue()).toEqual([{ state: 'sent', reason: null }]);
    const [first, second, ...others] = scene.mailed;
    expect([second, others]).toEqual([first, []]);
    const [noted] = await scene.log();
    expect(noted).toMatchObject({ id: first?.id, state: 'sent', attempts: 2, lastError: null });
  });

  test('have failed when the mailbox is refused, and the log says why', async () => {
    const ana = await scene.join(scene.organization, 'member');
    const { issue } = await scene.newIssue('A mail to nobody');
    await scene.fire({ kind: 'user', userId: ana.userId }, { issueId: issue.id });
    scene.answers.mail = { kind: 'not_sent', reason: 'No such mailbox', isFinal: true };
    expect(await scene.sendDue()).toEqual([{ state: 'failed', reason: 'No such mailbox' }]);
    scene.clock.nowMs += HOUR_MS;
    expect(await scene.sendDue()).toEqual([]);
    const [noted] = await scene.log();
    expect(noted).toMatchObject({ state: 'failed', attempts: 1, lastError: 'No such mailbox' });
  });
});

describe('tries', () => {
  const fireOne = async () => {
    const chat = await scene.newDestination();
    const { issue } = await scene.newIssue(`Try ${scene.clock.nowMs}`);
    await scene.fire(chat, { issueId: issue.id });
    return {
      chat,
      issue,
      find: () => scene.stores.destinations.find(scene.organization.id, chat.destinationId),
    };
  };

  test('after 5 s, 30 s, 2 min, 10 min, 1 h and 6 h, all with the same id and the same words; then it has failed', async () => {
    const { find, issue } = await fireOne();
    scene.answers.post = { kind: 'try_later', status: 503, reason: 'It could not (503)', afterMs: null };
    const startedAt = scene.clock.nowMs;
    for (const [index, waitMs] of RETRY_MS.entries()) {
      expect(await scene.sendDue()).toEqual([{ state: 'later', reason: 'It could not (503)' }]);
      if (index === 0) await scene.newIssue(issue.title, [{ title: 'Another title' }]);
      scene.clock.nowMs += waitMs - 1;
      expect(await scene.sendDue()).toEqual([]);
      scene.clock.nowMs += 1;
    }
    expect(await scene.sendDue()).toEqual([{ state: 'failed', reason: 'It could not (503)' }]);
    expect(scene.clock.nowMs - startedAt).toBe(5_000 + 30_000 + 120_000 + 600_000 + 3_600_000 + 21_600_000);
    expect(scene.posted).toHaveLength(7);
    expect(new Set(scene.posted.map(({ deliveryId }) => deliveryId)).size).toBe(1);
    expect(new Set(scene.posted.map(({ parts }) => JSON.stringify(parts))).size).toBe(1);
    expect((await scene.log())[0]).toMatchObject({
      state: 'failed',
      attempts: 7,
      lastError: 'It could not (503)',
      lastStatus: 503,
    });
    expect(await find()).toMatchObject({ failingSince: startedAt, lastError: 'It could not (503)' });
  });

  test('a service that asks for more time gets it', async () => {
    const { find } = await fireOne();
    scene.answers.post = { kind: 'try_later', status: 429, reason: 'Fewer (429)', afterMs: 60_000 };
    await scene.sendDue();
    scene.answers.post = { kind: 'sent', status: 200 };
    scene.clock.nowMs += 59_999;
    expect(await scene.sendDue()).toEqual([]);
    scene.clock.nowMs += 1;
    expect(await scene.sendDue()).toEqual([{ state: 'sent', reason: null }]);
    expect(await find()).toMatchObject({
      failingSince: null,
      lastError: null,
      lastSentAt: scene.clock.nowMs,
    });
  });

  test('what is refused is not tried again', async () => {
    const { find } = await fireOne();
    scene.answers.post = { kind: 'refused', status: 404, reason: 'It is gone (404)' };
    expect(await scene.sendDue()).toEqual([{ state: 'failed', reason: 'It is gone (404)' }]);
    scene.clock.nowMs += HOUR_MS;
    expect(await scene.sendDue()).toEqual([]);
    expect(await find()).toMatchObject({ lastError: 'It is gone (404)' });
  });

  test('a host that is busy costs no try', async () => {
    await fireOne();
    scene.answers.post = { kind: 'busy' };
    expect(await scene.sendDue()).toEqual([{ state: 'later', reason: null }]);
    scene.answers.post = { kind: 'sent', status: 200 };
    scene.clock.nowMs += 2_000;
    await scene.sendDue();
    expect((await scene.log())[0]).toMatchObject({ state: 'sent', attempts: 1, lastError: null });
  });

  test('a destination that is gone takes its messages with it; an issue that is gone is not told', async () => {
    const { chat } = await fireOne();
    await scene.stores.destinations.remove(scene.organization.id, chat.destinationId);
    expect(await scene.sendDue()).toEqual([]);
    const second = await fireOne();
    await scene.pool.query('DELETE FROM issues WHERE id = $1', [second.issue.id]);
    expect(await scene.sendDue()).toEqual([
      { state: 'dropped', reason: 'The subject of the message no longer exists' },
    ]);
    expect(scene.posted).toEqual([]);
  });

  test('a message that ends every process that takes it is given up', async () => {
    await fireOne();
    await scene.pool.query(`UPDATE deliveries SET attempts = 7 WHERE state = 'open'`);
    expect(await scene.sendDue()).toEqual([
      { state: 'failed', reason: expect.stringContaining('Giving up') },
    ]);
    expect(scene.posted).toEqual([]);
  });

  test('what cannot be made into a message counts as a try', async () => {
    await fireOne();
    const { alertRules } = scene.stores;
    const broken = {
      ...scene.parts,
      stores: {
        ...scene.stores,
        alertRules: { ...alertRules, find: () => Promise.reject(new Error('broken')) },
      },
    };
    for (const delivery of await takeDue(broken, 10)) {
      expect(await sendDelivery(broken, delivery)).toEqual({
        state: 'later',
        reason: 'The message could not be created: broken',
      });
    }
    scene.clock.nowMs += 5_000;
    expect(await scene.sendDue()).toEqual([{ state: 'sent', reason: null }]);
  });

  test('a process that ends on the way: another one sends the same message once its lease is over', async () => {
    await fireOne();
    const [taken] = await scene.stores.deliveries.take(scene.clock.nowMs, {
      leaseUntil: scene.clock.nowMs + LEASE_MS,
      mailLeaseUntil: scene.clock.nowMs + LEASE_MS,
      limit: 10,
      mailsMax: 10,
      reportsMax: 10,
      issuesMax: 20,
      metricsMax: 20,
      mailsPerHourMax: 200,
    });
    expect(await scene.sendDue()).toEqual([]);
    scene.clock.nowMs += LEASE_MS;
    expect(await scene.sendDue()).toEqual([{ state: 'sent', reason: null }]);
    expect(scene.posted.map(({ deliveryId }) => deliveryId)).toEqual([taken!.id]);
    // The one that lived on after all does not send what could be sent twice by then.
    await sendDelivery(scene.parts, taken!);
    expect(scene.posted).toHaveLength(1);
  });
});
