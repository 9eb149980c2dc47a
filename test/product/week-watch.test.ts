import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Organization, Project } from '#domain/projects.ts';
import { unavailable } from '#lib/errors.ts';
import { WEEK_MS } from '#lib/time.ts';
import { composeReport } from '#product/messages/compose-report.ts';
import { getWeekWatch } from '#product/overview/get-week-watch.ts';
import { UPTIME_DEFAULTS } from '#product/uptime/check-uptime-monitor.ts';
import { HOUR_MS, hashOf, NOON_MS, newEventId } from '../contract/sample-events.ts';
import { makeRow } from '../contract/sample-telemetry.ts';
import { openProduct, type Product, PUBLIC_URL } from './open-product.ts';
import { servicesOf } from './product-services.ts';
import { digestCheckIns, watchMonitors } from './take-in-check-ins.ts';

type Joined = Awaited<ReturnType<Product['join']>>;

let product: Product;
let organization: Organization;
let ana: Joined;
let web: Project;

beforeAll(async () => {
  product = await openProduct();
  product.clock.nowMs = NOON_MS;
  organization = await product.createOrganization();
  web = await product.createProject(organization, 'web');
  ana = await product.join(organization, 'member');
});
afterAll(async () => {
  await product?.close();
});

const report = () =>
  composeReport(
    ana,
    { userId: ana.userId, weekStart: NOON_MS - WEEK_MS },
    servicesOf(product).unsubscribeLinks,
  );

test('a week without anything has no sections, and no report', async () => {
  expect(await getWeekWatch(ana)).toEqual({
    monitors: { total: 0, items: [] },
    uptime: { total: 0, items: [] },
    releases: [],
    feedback: { total: 0, items: [] },
  });
  expect(await report()).toBeNull();
});

test('monitors that failed, releases beside the one before, and feedback', async () => {
  const origin = { organizationId: organization.id, projectId: web.id };
  const run = (monitorSlug: string, status: 'ok' | 'error' | 'missed', agoMs: number) =>
    makeRow('checkIns', {
      ...origin,
      monitorSlug,
      checkInId: newEventId(),
      status,
      occurredAt: NOON_MS - agoMs,
    });
  await digestCheckIns(product, [
    run('backup', 'missed', 50 * HOUR_MS),
    run('backup', 'error', 26 * HOUR_MS),
    run('backup', 'ok', 2 * HOUR_MS),
    run('tidy', 'ok', 3 * HOUR_MS),
    // Of the week before.
    run('tidy', 'error', WEEK_MS + HOUR_MS),
  ]);
  await watchMonitors(product);

  const uptime = await product.stores.uptimeMonitors.add(
    organization.id,
    {
      projectId: web.id,
      name: 'Shop',
      url: 'https://shop.example.com/',
      intervalSeconds: 60,
      environment: null,
      owner: null,
      isEnabled: true,
      headers: {},
      definition: { ...UPTIME_DEFAULTS, headerNames: [] },
    },
    null,
    NOON_MS,
  );
  const check = (index: number, status: 'success' | 'failure') => ({
    ...origin,
    monitorId: uptime.id,
    checkId: newEventId(),
    checkedAt: NOON_MS - index * HOUR_MS,
    scheduledAt: NOON_MS - index * HOUR_MS,
    status,
    reason: null,
    detail: '',
    statusCode: 200,
    durationMs: 100,
    region: 'default',
    traceId: newEventId(),
    isRetry: false,
    isInMaintenance: false,
    isInIncident: false,
    certificateExpiresAt: null,
    dnsMs: null,
    connectMs: null,
    tlsMs: null,
    firstByteMs: null,
  });
  await product.stores.uptimeChecks.insert(
    [1, 2, 3, 4].map((index) => check(index, index === 4 ? 'failure' : 'success')),
    'week',
  );
  const incident = (startedAt: number, endedAt: number) => ({
    organization_id: organization.id,
    project_id: web.id,
    monitor_id: uptime.id,
    kind: 'downtime',
    started_at: new Date(startedAt),
    ended_at: new Date(endedAt),
    evidence: JSON.stringify({}),
    event_id: newEventId(),
  });
  await product.db
    .insertInto('uptime_incidents')
    .values([
      incident(NOON_MS - 4 * HOUR_MS, NOON_MS - 3 * HOUR_MS),
      incident(NOON_MS - 3 * WEEK_MS, NOON_MS - 3 * WEEK_MS + 1),
    ])
    .execute();

  for (const [version, agoMs] of [
    ['web@1.0.0', 5 * HOUR_MS],
    ['web@1.1.0', 2 * HOUR_MS],
  ] as const) {
    await product.stores.releases.save(
      organization.id,
      { version, projectIds: [web.id], change: {} },
      NOON_MS - agoMs,
    );
  }
  const sessions = (release: string, exited: number, crashed: number) =>
    makeRow('sessions', { ...origin, release, startedAt: NOON_MS - HOUR_MS, exited, crashed });
  await product.stores.telemetry.insert(
    { sessions: [sessions('web@1.0.0', 99, 1), sessions('web@1.1.0', 190, 10)] },
    'week-sessions',
  );

  await product.ingest(organization, [
    {
      projectId: web.id,
      title: 'The checkout <b>is broken</b>',
      groupingHash: hashOf('feedback'),
      occurredAt: NOON_MS - HOUR_MS,
      type: 'feedback',
    },
  ]);

  const watch = await getWeekWatch(ana);
  expect(watch).toMatchObject({
    monitors: { total: 1, items: [{ name: 'backup', projectSlug: 'web', runs: 3, missed: 1, failed: 1 }] },
    uptime: { total: 1, items: [{ name: 'Shop', availability: 0.75, incidents: 1 }] },
    releases: [
      {
        version: 'web@1.1.0',
        sessions: 200,
        crashFree: 0.95,
        before: { version: 'web@1.0.0', crashFree: 0.99 },
      },
    ],
    feedback: { total: 1, items: [{ title: 'The checkout <b>is broken</b>' }] },
  });

  const draft = await report();
  const page = `${PUBLIC_URL}/${organization.slug}`;
  expect(draft?.text).toContain(
    '* Cron monitors with failures: 1\n  backup: 1 missed, 1 failed of 3 runs, in web',
  );
  expect(draft?.text).toContain(
    '* Uptime monitors with failures: 1\n  Shop: 75% available, 1 incident, in web',
  );
  expect(draft?.text).toContain('  web@1.1.0: 95%, 99% in web@1.0.0 (200 sessions), in web');
  expect(draft?.text).toMatch(/\* New feedback: 1\n {2}WEB-\d+: The checkout <b>is broken<\/b>/);
  expect(draft?.html).toContain(`href="${page}/monitors/uptime/${uptime.id}"`);
  expect(draft?.html).toContain(`href="${page}/releases/web%401.1.0"`);
  expect(draft?.html).not.toContain('<b>is broken');
  expect(
    await product.stores.reports.listActiveOrganizations({ fromMs: NOON_MS - WEEK_MS, toMs: NOON_MS }),
  ).toContain(organization.id);
});

test('what the reader may not see, and what a store does not answer, is left out', async () => {
  const closed = await getWeekWatch({ ...ana, organization: { ...organization, isOpen: false } });
  expect([closed.monitors.total, closed.uptime.total, closed.releases, closed.feedback.total]).toEqual([
    0,
    0,
    [],
    0,
  ]);
  const away = () => Promise.reject(unavailable('away'));
  const stores = { ...ana.stores, telemetry: { ...ana.stores.telemetry, countCheckIns: away } };
  const partial = await getWeekWatch({ ...ana, stores });
  expect([partial.monitors.total, partial.uptime.total, partial.feedback.total]).toEqual([0, 1, 1]);
});
