import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { UptimeProber } from '#delivery/ports/uptime-prober.ts';
import type { Organization, Project } from '#domain/projects.ts';
import { nextSlot, RETRY_AFTER_MS } from '#domain/uptime/schedule.ts';
import type { ProbeAnswer } from '#lib/guarded-request/guarded-probe.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#lib/time.ts';
import { listIssues } from '#product/issues/list-issues.ts';
import { checkDueMonitor, takeDueMonitors } from '#product/uptime/check-due-monitor.ts';
import type { UptimeMonitorInput } from '#product/uptime/check-uptime-monitor.ts';
import { forgetStatusPages, openStatusPage } from '#product/uptime/open-status-page.ts';
import { updateStatusPage } from '#product/uptime/status-page.ts';
import { tellIncidents } from '#product/uptime/tell-incidents.ts';
import { getUptimeHistories, listUptimeChecks, listUptimeIncidents } from '#product/uptime/uptime-history.ts';
import {
  createUptimeMonitor,
  deleteUptimeMonitor,
  getUptimeMonitor,
  setUptimeMonitorEnabled,
  updateUptimeMonitor,
} from '#product/uptime/uptime-monitors.ts';
import { NOON_MS } from '../contract/sample-events.ts';
import { openProduct, type Product, PUBLIC_URL } from './open-product.ts';
import { takeInFailures } from './take-in-failures.ts';

const UP: ProbeAnswer = {
  kind: 'answered',
  status: 200,
  headers: {},
  body: 'ok',
  isCut: false,
  timings: { dnsMs: 1, connectMs: 2, tlsMs: null, firstByteMs: 3, totalMs: 10, certificateExpiresAt: null },
};
const DOWN: ProbeAnswer = { ...UP, status: 503, body: 'Bearer s3cret is not welcome' };
const UNREACHABLE: ProbeAnswer = {
  kind: 'failed',
  reason: 'connection_error',
  detail: 'shop.example.com: the connection failed (ECONNREFUSED)',
  timings: {
    dnsMs: 1,
    connectMs: null,
    tlsMs: null,
    firstByteMs: null,
    totalMs: 5,
    certificateExpiresAt: null,
  },
};

let product: Product;
let organization: Organization;
let project: Project;
let ctx: Awaited<ReturnType<Product['join']>>;
let answer: ProbeAnswer;
let isOffline: boolean;
let asked: { url: string; headers: Readonly<Record<string, string>> }[];

const prober: UptimeProber = {
  probe: async (url, { headers }) => {
    asked.push({ url, headers });
    return answer;
  },
  isOffline: async () => isOffline,
};

beforeAll(async () => {
  product = await openProduct();
});
afterAll(() => product?.close());
beforeEach(async () => {
  organization = await product.createOrganization();
  project = await product.createProject(organization, `web-${organization.id}`);
  ctx = await product.join(organization, 'admin');
  product.clock.nowMs = NOON_MS;
  answer = UP;
  isOffline = false;
  asked = [];
});

const input = (fields: Partial<UptimeMonitorInput> = {}): UptimeMonitorInput => ({
  projectSlug: project.slug,
  name: 'Shop',
  url: 'https://shop.example.com/health',
  intervalSeconds: 300,
  environment: 'production',
  owner: null,
  isEnabled: true,
  headers: {},
  definition: {},
  ...fields,
});

const parts = () => ({ stores: product.stores, prober, now: () => product.clock.nowMs });

/** What a jobs role does at this moment; answers how many monitors of the organization were due. */
async function work(): Promise<number> {
  const due = await takeDueMonitors(parts(), 100);
  const checks = await Promise.all(due.map((monitor) => checkDueMonitor(parts(), monitor)));
  await product.stores.uptimeChecks.insert(
    checks.filter((check) => check !== null),
    String(Math.random()),
  );
  await tellIncidents(parts());
  await takeInFailures(product);
  await tellIncidents(parts());
  return due.filter(({ organizationId }) => organizationId === organization.id).length;
}
const later = async (ms: number) => {
  product.clock.nowMs += ms;
  return await work();
};
const issues = async () =>
  (
    await listIssues(ctx, { query: '', projectSlugs: [], sort: 'new', range: null, cursor: null, limit: 10 })
  ).issues.map(({ title, status }) => [title, status]);

test('down is confirmed within seconds, opens one incident and one issue, and recovery resolves both', async () => {
  const { monitor } = await createUptimeMonitor(ctx, input({ headers: { Authorization: 'Bearer s3cret' } }));
  expect(await work()).toBe(1);
  expect(asked[0]?.headers).toMatchObject({ Authorization: 'Bearer s3cret' });
  expect(asked[0]?.headers['sentry-trace']).toMatch(/^[0-9a-f]{32}-[0-9a-f]{16}$/);
  expect(await work()).toBe(0);

  answer = DOWN;
  product.clock.nowMs = nextSlot(monitor.id, 300, product.clock.nowMs);
  expect(await work()).toBe(1);
  expect(await later(RETRY_AFTER_MS - 1)).toBe(0);
  expect(await later(1)).toBe(1);
  expect(await issues()).toEqual([]);
  expect(await later(RETRY_AFTER_MS)).toBe(1);
  expect(await issues()).toEqual([['Downtime detected: Shop', 'unresolved']]);
  const [incident] = await listUptimeIncidents(ctx, monitor.id);
  expect(incident).toMatchObject({
    kind: 'downtime',
    endedAt: null,
    evidence: {
      reason: 'status',
      detail: 'The status is 503, expected 200-299',
      statusCode: 503,
      excerpt: '[Filtered] is not welcome',
    },
  });
  // Further failures are checks on schedule, and no further incidents.
  expect(await later(RETRY_AFTER_MS)).toBe(0);
  product.clock.nowMs = nextSlot(monitor.id, 300, product.clock.nowMs);
  await work();
  expect(await listUptimeIncidents(ctx, monitor.id)).toHaveLength(1);

  answer = UP;
  product.clock.nowMs = nextSlot(monitor.id, 300, product.clock.nowMs);
  await work();
  expect((await getUptimeMonitor(ctx, monitor.id)).monitor).toMatchObject({ state: 'up', failuresInRow: 0 });
  expect((await listUptimeIncidents(ctx, monitor.id))[0]?.endedAt).toBe(product.clock.nowMs);
  expect(await issues()).toEqual([['Downtime detected: Shop', 'resolved']]);

  const { rows } = await listUptimeChecks(ctx, { monitorId: monitor.id, cursor: null, limit: 10 });
  expect(rows.map(({ status, isRetry, isInIncident }) => [status, isRetry, isInIncident])).toEqual([
    ['success', false, false],
    ['failure', false, true],
    ['failure', true, true],
    ['failure', true, false],
    ['failure', false, false],
    ['success', false, false],
  ]);
  // Checks that confirm a failure do not count twice.
  const history = (await getUptimeHistories(ctx, [monitor], '24h')).get(monitor.id);
  expect(history).toMatchObject({ availability: 0.5, averageMs: 10 });
  expect(history?.cells).toHaveLength(48);
});

test('after an hour away each monitor is due once', async () => {
  const { monitor } = await createUptimeMonitor(ctx, input({ intervalSeconds: 60 }));
  await work();
  expect(await later(HOUR_MS)).toBe(1);
  expect(await work()).toBe(0);
  expect(await later(60 * SECOND_MS)).toBe(1);
  expect((await listUptimeChecks(ctx, { monitorId: monitor.id, cursor: null, limit: 10 })).rows).toHaveLength(
    3,
  );
});

test('in maintenance checks run, nothing opens, and the availability stays', async () => {
  const window = { kind: 'once', fromMs: NOON_MS - MINUTE_MS, toMs: NOON_MS + HOUR_MS };
  const { monitor } = await createUptimeMonitor(
    ctx,
    input({ definition: { failuresMin: 1, maintenance: [window] } }),
  );
  answer = DOWN;
  await work();
  expect(await listUptimeIncidents(ctx, monitor.id)).toEqual([]);
  expect((await getUptimeHistories(ctx, [monitor], '24h')).get(monitor.id)?.availability).toBeNull();
  await later(HOUR_MS);
  expect(await listUptimeIncidents(ctx, monitor.id)).toHaveLength(1);
});

test('while the machine is offline, checks tell nothing', async () => {
  const { monitor } = await createUptimeMonitor(ctx, input({ definition: { failuresMin: 1 } }));
  answer = UNREACHABLE;
  isOffline = true;
  await work();
  expect((await getUptimeMonitor(ctx, monitor.id)).monitor).toMatchObject({ state: 'new', failuresInRow: 0 });
  expect(
    (await listUptimeChecks(ctx, { monitorId: monitor.id, cursor: null, limit: 10 })).rows,
  ).toMatchObject([{ status: 'unknown', reason: 'connection_error' }]);
  // Whoever was connected to is there, whatever others say.
  answer = DOWN;
  await later(10 * MINUTE_MS);
  expect((await getUptimeMonitor(ctx, monitor.id)).monitor.state).toBe('down');
});

test('a certificate that expires soon is an incident of its own, which a new one ends', async () => {
  const expires = (days: number): ProbeAnswer => ({
    ...UP,
    timings: { ...UP.timings, certificateExpiresAt: product.clock.nowMs + days * DAY_MS },
  });
  const { monitor } = await createUptimeMonitor(ctx, input());
  answer = expires(9.5);
  await work();
  await later(10 * MINUTE_MS);
  expect(await issues()).toEqual([['Certificate expires soon: Shop', 'unresolved']]);
  expect(await listUptimeIncidents(ctx, monitor.id)).toMatchObject([
    { kind: 'certificate', evidence: { detail: 'The certificate expires in 9 days' } },
  ]);
  expect((await getUptimeMonitor(ctx, monitor.id)).monitor.state).toBe('up');
  answer = expires(90);
  await later(10 * MINUTE_MS);
  expect(await issues()).toEqual([['Certificate expires soon: Shop', 'resolved']]);
});

test('pausing ends what is open, and what was under way when a monitor was edited does not count', async () => {
  const { monitor } = await createUptimeMonitor(ctx, input({ definition: { failuresMin: 1 } }));
  answer = DOWN;
  await work();
  expect(await issues()).toEqual([['Downtime detected: Shop', 'unresolved']]);
  await setUptimeMonitorEnabled(ctx, monitor.id, false);
  expect(await later(10 * MINUTE_MS)).toBe(0);
  expect(await issues()).toEqual([['Downtime detected: Shop', 'resolved']]);

  await setUptimeMonitorEnabled(ctx, monitor.id, true);
  const [due] = await takeDueMonitors(parts(), 1);
  await updateUptimeMonitor(ctx, monitor.id, input({ name: 'Shop 2' }));
  expect(await checkDueMonitor(parts(), due!)).toBeNull();
  await deleteUptimeMonitor(ctx, monitor.id);
  await expect(getUptimeMonitor(ctx, monitor.id)).rejects.toMatchObject({ code: 'not_found' });
});

test('header values are kept where they went before, and never go elsewhere', async () => {
  const { monitor } = await createUptimeMonitor(ctx, input({ headers: { 'X-Token': 'abcdef' } }));
  expect(JSON.stringify(monitor)).not.toContain('abcdef');
  const kept = input({ headers: { 'X-Token': null }, url: 'https://shop.example.com/other' });
  await updateUptimeMonitor(ctx, monitor.id, kept);
  await work();
  expect(asked.at(-1)).toMatchObject({
    url: 'https://shop.example.com/other',
    headers: { 'X-Token': 'abcdef' },
  });
  const moved = updateUptimeMonitor(ctx, monitor.id, { ...kept, url: 'https://evil.example.com/' });
  await expect(moved).rejects.toMatchObject({ code: 'invalid', field: 'headers' });
});

test.each([
  [{ name: ' ' }, 'name'],
  [{ url: 'ftp://example.com' }, 'url'],
  [{ url: 'https://user:word@example.com' }, 'url'],
  [{ intervalSeconds: 45 }, 'intervalSeconds'],
  [{ owner: { kind: 'team', id: '999999' } as const }, 'owner'],
  [{ headers: { Host: 'other' } }, 'headers'],
  [{ headers: { 'X-A': 'a\r\nX-B: b' } }, 'headers'],
  [{ headers: { 'X-A': null } }, 'headers'],
  [{ definition: { timeoutSeconds: 61 } }, 'timeoutSeconds'],
  [{ definition: { statuses: [] } }, 'statuses'],
  [{ definition: { assertions: [{ kind: 'json', path: '..', equals: null }] } }, 'assertions'],
  [{ definition: { maintenance: [{ kind: 'once', fromMs: 2, toMs: 1 }] } }, 'maintenance'],
])('%j is refused at %s', async (fields, field) => {
  await expect(createUptimeMonitor(ctx, input(fields))).rejects.toMatchObject({ code: 'invalid', field });
});

test('the public page shows what an owner chose, and nothing else', async () => {
  const { monitor } = await createUptimeMonitor(ctx, input({ definition: { failuresMin: 1 } }));
  await createUptimeMonitor(ctx, input({ name: 'Hidden', url: 'https://hidden.example.com/' }));
  answer = DOWN;
  await work();
  const slug = `status-${organization.slug}`;
  const services = { stores: product.webStores, now: () => product.clock.nowMs, publicUrl: PUBLIC_URL };
  const open = () => openStatusPage(services, slug);
  const page = { slug, title: 'Shop status', isPublic: false, showsUrls: false, monitorIds: [monitor.id] };
  const owner = await product.join(organization, 'owner');
  await expect(updateStatusPage(ctx, page)).rejects.toMatchObject({ code: 'forbidden' });
  await updateStatusPage(owner, page);
  expect(await open()).toBeNull();

  await updateStatusPage(owner, { ...page, isPublic: true });
  const shown = await open();
  expect(shown).toMatchObject({
    title: 'Shop status',
    monitors: [{ name: 'Shop', url: null, state: 'down', isInIncident: true, history: { availability: 0 } }],
    incidents: [{ monitor: 'Shop', endedAt: null }],
  });
  for (const secret of ['example.com', '503', 'Hidden', organization.name, project.slug]) {
    expect(JSON.stringify(shown)).not.toContain(secret);
  }
  await updateStatusPage(owner, { ...page, isPublic: true, showsUrls: true });
  expect((await open())?.monitors[0]?.url).toBe('https://shop.example.com/health');

  // Another organization can neither take the address nor show this monitor.
  const other = await product.join(await product.createOrganization(), 'owner');
  await expect(updateStatusPage(other, page)).rejects.toMatchObject({ code: 'conflict' });
  const stolen = await updateStatusPage(other, { ...page, slug: `${slug}-2`, isPublic: true });
  expect(stolen.monitorIds).toEqual([]);
  forgetStatusPages();
  await updateStatusPage(owner, { ...page, isPublic: false });
  expect(await open()).toBeNull();
});
