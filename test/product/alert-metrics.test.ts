import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDestinationSender } from '#delivery/http/http-sender.ts';
import { createNoMailer } from '#delivery/smtp/smtp-mailer.ts';
import { ALERT_MEASURES } from '#domain/alerts/alert-kinds.ts';
import type { AlertMeasure, MetricAlert, MetricState } from '#domain/alerts/alert-rule.ts';
import { JOBS } from '#jobs/jobs.ts';
import { parseFaultPoints } from '#lib/fault-points.ts';
import { networkWith, parseAllowedInside } from '#lib/guarded-request/network.ts';
import { createLog } from '#lib/log.ts';
import { createAlertRule } from '#product/alerts/change-alert-rules.ts';
import { sendDelivery, takeDue } from '#product/deliveries/send-delivery.ts';
import { addDestination } from '#product/destinations/destinations.ts';
import { HOUR_MS, hashOf, MINUTE_MS } from '../contract/sample-events.ts';
import { makeRow } from '../contract/sample-telemetry.ts';
import { SERVICES } from '../harness/check-formats.ts';
import { type FakeService, startFakeService } from '../harness/fake-services.ts';
import { type AlertScene, openAlertScene } from './alert-scene.ts';
import { OUTSIDE } from './product-services.ts';

let scene: AlertScene;
let hook: FakeService;
let pager: FakeService;
beforeAll(async () => {
  const open = (kind: 'webhook' | 'pagerduty') =>
    startFakeService(SERVICES[kind].check, SERVICES[kind].success);
  [scene, hook, pager] = await Promise.all([openAlertScene(), open('webhook'), open('pagerduty')]);
});
afterAll(async () => {
  await Promise.all([scene?.close(), hook?.close(), pager?.close()]);
});

const THRESHOLDS: Readonly<Record<AlertMeasure, Pick<MetricAlert, 'direction' | 'critical' | 'warning'>>> = {
  events: { direction: 'above', critical: 6, warning: 3 },
  users: { direction: 'above', critical: 3, warning: 1 },
  failure_rate: { direction: 'above', critical: 50, warning: 20 },
  crash_free_sessions: { direction: 'below', critical: 50, warning: 80 },
  crash_free_users: { direction: 'below', critical: 50, warning: 80 },
};

/** Four requests and sessions of a service, of which `bad` fail, and two errors of each of `users`. */
async function serve(users: number, bad: number): Promise<void> {
  const origin = { organizationId: scene.mine.id, projectId: scene.web.id };
  const nowMs = scene.clock.nowMs;
  const grouped = { title: 'Down', groupingHash: hashOf('down'), groupingHashes: [hashOf('down')] };
  for (let index = 0; index < users; index++) {
    const error = { ...grouped, user: { id: `u${index}`, email: null, username: null, ip: null } };
    await scene.happen(error, error);
  }
  const four = [0, 1, 2, 3];
  await scene.stores.telemetry.insert(
    {
      transactions: four.map((index) =>
        makeRow('transactions', {
          ...origin,
          status: index < bad ? 'internal_error' : 'ok',
          startedAtUs: nowMs * 1_000,
        }),
      ),
      sessions: four.map((index) => {
        const crashed = index < bad ? 1 : 0;
        const how = { exited: 1 - crashed, crashed, status: crashed ? 'crashed' : 'exited' } as const;
        const when = { startedAt: nowMs, occurredAt: nowMs };
        return makeRow('sessions', { ...origin, ...when, ...how, distinctIdHash: `u${index}` });
      }),
    },
    randomBytes(8).toString('hex'),
  );
}

/** A minute passes: the metrics are looked at as each minute, and what is due is sent. */
async function passMinute(): Promise<void> {
  scene.later(MINUTE_MS);
  const { stores, clock } = scene;
  const now = () => clock.nowMs;
  const job = JOBS.find(({ name }) => name === 'check-alert-metrics')!;
  await job.run({
    stores,
    openTracker: OUTSIDE.openTracker,
    findBacklog: async () => ({ kind: 'none' }),
    now,
    log: createLog('test', 'fatal'),
  });
  const parts = {
    stores,
    now,
    publicUrl: scene.owner.publicUrl,
    mailer: createNoMailer(),
    unsubscribeLinks: OUTSIDE.unsubscribeLinks,
    destinationSender: createDestinationSender(networkWith(parseAllowedInside('127.0.0.1')), now),
    faults: parseFaultPoints(null),
  };
  for (const delivery of await takeDue(parts, 50)) {
    expect(await sendDelivery(parts, delivery)).toEqual({ state: 'sent', reason: null });
  }
}

type HookBody = {
  action: string;
  data: { metric_alert: { title: string; status: number }; errata: { value: number } };
};
type PageBody = { event_action: string; dedup_key: string; payload: { severity: string; summary: string } };

/** By measure, what both have got since they were asked last. */
function told(): Readonly<Record<string, unknown>> {
  const received = [...hook.received, ...pager.received];
  expect(received.flatMap(({ problems }) => problems)).toEqual([]);
  const found = ALERT_MEASURES.map((measure, index) => {
    const hooks = hook.received
      .slice(seen.hook)
      .map(({ body }) => body as HookBody)
      .filter(({ data }) => data.metric_alert.title === measure)
      .map(({ action, data }) => [action, data.metric_alert.status, data.errata.value]);
    const pages = pager.received
      .slice(seen.pager)
      .map(({ body }) => body as PageBody)
      .filter(({ dedup_key }) => dedup_key === `errata-metric-${ruleIds[index]}`)
      .map(({ event_action, payload }) => [event_action, payload.severity, payload.summary]);
    return [measure, [...hooks, ...pages]] as const;
  });
  [seen.hook, seen.pager] = [hook.received.length, pager.received.length];
  return Object.fromEntries(found);
}
const seen = { hook: 0, pager: 0 };
const ruleIds: number[] = [];

const ACTIONS = { critical: 'critical', warning: 'warning', ok: 'resolved' } as const;
const WORDS = { critical: 'Critical', warning: 'Warning', ok: 'Resolved' } as const;
const expected = (state: MetricState, values: Readonly<Record<AlertMeasure, number>>) =>
  Object.fromEntries(
    ALERT_MEASURES.map((measure) => [
      measure,
      [
        [ACTIONS[state], state === 'ok' ? 2 : 20, values[measure]],
        [
          state === 'ok' ? 'resolve' : 'trigger',
          state === 'critical' ? 'critical' : 'warning',
          `${WORDS[state]}: ${measure}`,
        ],
      ],
    ]),
  );

test('what happens to each measure reaches a webhook and a pager: critical, a warning again, resolved', async () => {
  const receivers = [];
  for (const [kind, service] of [['webhook', hook] as const, ['pagerduty', pager] as const]) {
    const fields = SERVICES[kind].fields(service.url);
    const { destination } = await addDestination(scene.owner, { kind, name: kind, fields });
    receivers.push({ kind: 'destination', destinationId: destination.id });
  }
  for (const measure of ALERT_MEASURES) {
    const created = await createAlertRule(scene.owner, {
      projectSlug: 'web',
      name: measure,
      environment: null,
      owner: null,
      definition: {
        kind: 'metric',
        measure,
        query: '',
        windowMinutes: 10,
        resolve: null,
        receivers,
        ...THRESHOLDS[measure],
      },
    });
    ruleIds.push(created.rule.id);
  }
  const steps = [
    { users: 4, bad: 3, state: 'critical', share: 25 },
    { users: 2, bad: 1, state: 'warning', share: 75 },
    { users: 1, bad: 0, state: 'ok', share: 100 },
  ] as const;
  for (const { users, bad, state, share } of steps) {
    // More than the windows, and than the budget of messages.
    scene.later(2 * HOUR_MS);
    await serve(users, bad);
    await passMinute();
    expect(told()).toEqual(
      expected(state, {
        events: users * 2,
        users,
        failure_rate: 100 - share,
        crash_free_sessions: share,
        crash_free_users: share,
      }),
    );
    // It is still so: nobody hears it twice.
    await passMinute();
    expect(told()).toEqual(Object.fromEntries(ALERT_MEASURES.map((measure) => [measure, []])));
  }
});
