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
import { getAlertRule } from '#product/alerts/list-alert-rules.ts';
import { previewAlertRule } from '#product/alerts/preview/preview-alert-rule.ts';
import { sendDelivery, takeDue } from '#product/deliveries/send-delivery.ts';
import { addDestination } from '#product/destinations/destinations.ts';
import { HOUR_MS, hashOf, MINUTE_MS } from '../contract/sample-events.ts';
import { makeRow } from '../contract/sample-telemetry.ts';
import { SERVICES } from '../harness/check-formats.ts';
import { type FakeService, startFakeService } from '../harness/fake-services.ts';
import { testInFull } from '../harness/is-full.ts';
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

testInFull(
  'what happens to each measure reaches a webhook and a pager: critical, a warning again, resolved',
  async () => {
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
  },
);

test('functions over spans, logs and metrics, and changes, reach a webhook with their units', async () => {
  const fields = SERVICES.webhook.fields(hook.url);
  const { destination } = await addDestination(scene.owner, { kind: 'webhook', name: 'rows', fields });
  const receivers = [{ kind: 'destination', destinationId: destination.id }];
  const create = async (name: string, environment: string | null, definition: Partial<MetricAlert>) => {
    const { rule } = await createAlertRule(scene.owner, {
      projectSlug: 'web',
      name,
      environment,
      owner: null,
      definition: {
        kind: 'metric',
        query: '',
        windowMinutes: 10,
        direction: 'above',
        warning: null,
        resolve: null,
        receivers,
        ...definition,
      },
    });
    return rule.id;
  };
  const spans = (written: string) => ({ dataset: 'spans', function: written }) as const;
  await create('slow', 'production', {
    measure: spans('p95(span.duration)'),
    query: 'is_transaction:true',
    critical: 500,
  });
  await create('failing', null, { measure: spans('failure_rate()'), query: 'span.op:db', critical: 20 });
  await create('logged', null, {
    measure: { dataset: 'logs', function: 'epm()' },
    query: 'severity:error',
    critical: 0.15,
  });
  await create('deep', null, {
    measure: { dataset: 'metrics', function: 'avg(value)' },
    query: 'metric.name:queue.depth',
    critical: 10,
  });
  const quiet = await create('quiet', null, {
    measure: spans('max(span.duration)'),
    query: 'span.op:none',
    critical: 1,
  });
  const grown = await create('grown', null, { measure: 'events', comparisonMinutes: 10_080, critical: 50 });
  const fallen = await create('fallen', null, {
    measure: spans('count()'),
    comparisonMinutes: 10_080,
    direction: 'below',
    critical: 60,
  });

  scene.later(2 * HOUR_MS);
  const nowMs = scene.clock.nowMs;
  const origin = { organizationId: scene.mine.id, projectId: scene.web.id };
  const span = (change: object, atMs = nowMs) =>
    makeRow('spans', {
      ...origin,
      startedAtUs: atMs * 1_000,
      environment: 'production',
      isSegment: true,
      ...change,
    });
  const line = (level: 'info' | 'error') =>
    makeRow('logs', { ...origin, level, occurredAtUs: nowMs * 1_000 });
  const depth = (value: number, name = 'queue.depth') =>
    makeRow('metrics', { ...origin, name, value, occurredAtUs: nowMs * 1_000 });
  await scene.stores.telemetry.insert(
    {
      spans: [
        span({ durationUs: 600_000, op: 'http' }),
        span({ durationUs: 9_000_000, op: 'http', environment: 'staging' }),
        span({ durationUs: 9_000_000, op: 'http', isSegment: false }),
        ...['ok', 'ok', 'internal_error'].map((status) =>
          span({ op: 'db', durationUs: 1_000, isSegment: false, status }),
        ),
      ],
      logs: [line('error'), line('error'), line('info')],
      metrics: [depth(10), depth(14), depth(900, 'other')],
    },
    randomBytes(8).toString('hex'),
  );
  await serve(1, 0);
  seen.hook = hook.received.length;
  await passMinute();
  const heard = () => {
    const received = hook.received.slice(seen.hook);
    seen.hook = hook.received.length;
    expect(received.flatMap(({ problems }) => problems)).toEqual([]);
    return Object.fromEntries(
      received.map(({ body }) => {
        const { data } = body as HookBody;
        return [data.metric_alert.title, data];
      }),
    );
  };
  const first = heard();
  expect(first).toMatchObject({
    slow: {
      description_text:
        '600 ms: p95(span.duration) of spans above 500 ms within 10 minutes\nFilter: is_transaction:true',
      metric_alert: {
        alert_rule: { aggregate: 'p95(span.duration)', dataset: 'events_analytics_platform' },
      },
    },
    failing: { description_text: expect.stringMatching(/^33\.33%: failure_rate\(\) of spans above 20% /) },
    logged: {
      description_text: expect.stringMatching(/^0\.2 per minute: epm\(\) of logs above 0\.15 per minute /),
    },
    deep: { description_text: expect.stringMatching(/^12: avg\(value\) of metrics above 10 /) },
  });
  expect(Object.keys(first)).not.toContain('quiet');
  const metricOf = async (id: number) => (await getAlertRule(scene.owner, id)).rule.metric;
  expect(await metricOf(quiet)).toMatchObject({ state: 'ok', value: null, problem: null });
  // Nothing happened a week before.
  const unknown = { state: 'ok', value: null, problem: expect.stringContaining('no data 1 week earlier') };
  expect([await metricOf(grown), await metricOf(fallen)]).toMatchObject([unknown, unknown]);

  scene.later(7 * 24 * HOUR_MS - MINUTE_MS);
  await serve(2, 0);
  await scene.stores.telemetry.insert(
    { spans: [span({}, scene.clock.nowMs), span({}, scene.clock.nowMs)] },
    randomBytes(8).toString('hex'),
  );
  await passMinute();
  expect(heard()).toMatchObject({
    grown: {
      description_text: '100% higher: events within 10 minutes more than 50% higher than 1 week earlier',
      metric_alert: { alert_rule: { comparison_delta: 10_080, detection_type: 'percent' } },
    },
    fallen: { errata: { value: (100 * (2 - 6)) / 6, measured: 2, measured_before: 6 } },
  });
  expect(await metricOf(grown)).toMatchObject({ state: 'critical', value: 100, problem: null });
  const preview = await previewAlertRule(scene.owner, {
    projectSlug: 'web',
    environment: null,
    definition: { ...(await getAlertRule(scene.owner, grown)).rule.definition, windowMinutes: 60 },
  });
  expect(preview.before).toHaveLength(336);
  expect([preview.buckets.values.at(-1), preview.before.at(-1)]).toEqual([4, 2]);
  expect(preview.states.at(-1)).toBe('critical');
});
