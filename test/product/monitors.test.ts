import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Organization, Project } from '#domain/projects.ts';
import { HOUR_MS, MINUTE_MS } from '#lib/time.ts';
import { listIssues } from '#product/issues/list-issues.ts';
import {
  createMonitor,
  deleteMonitor,
  updateMonitor,
  updateMonitorEnvironment,
} from '#product/monitors/change-monitors.ts';
import { getMonitorStats, getMonitorTimelines } from '#product/monitors/monitor-stats.ts';
import { getMonitor, listCheckIns, listMonitors } from '#product/monitors/monitors.ts';
import { advanceMonitors } from '#product/monitors/watch/advance-monitors.ts';
import type { MonitorConfig } from '#protocol/monitor-config.ts';
import type { DigestedCheckIn } from '#protocol/telemetry.ts';
import { NOON_MS, newEventId } from '../contract/sample-events.ts';
import { openProduct, type Product } from './open-product.ts';
import { digestCheckIns, watchMonitors } from './take-in-check-ins.ts';
import { takeInFailures } from './take-in-failures.ts';

let product: Product;
let organization: Organization;
let project: Project;
let ctx: Awaited<ReturnType<Product['join']>>;

beforeAll(async () => {
  product = await openProduct();
  organization = await product.createOrganization();
  project = await product.createProject(organization, 'web');
  ctx = await product.join(organization, 'admin');
});
afterAll(() => product?.close());

const at = (minutes: number) => NOON_MS + minutes * MINUTE_MS;
const EVERY_10: MonitorConfig = { schedule: { type: 'crontab', value: '*/10 * * * *' } };

async function says(slug: string, minutes: number, fields: Partial<DigestedCheckIn> = {}): Promise<void> {
  await digestCheckIns(product, [
    {
      organizationId: organization.id,
      projectId: project.id,
      keyId: 1,
      receivedAt: at(minutes),
      checkInId: newEventId(),
      monitorSlug: slug,
      status: 'ok',
      environment: 'production',
      occurredAt: at(minutes),
      durationMs: null,
      traceId: null,
      monitorConfig: null,
      ...fields,
    },
  ]);
}

/** The jobs role looks, and digest takes in what it told. */
async function look(minutes: number, gaps: Parameters<typeof watchMonitors>[1] = []): Promise<void> {
  product.clock.nowMs = at(minutes);
  await watchMonitors(product, gaps);
  await takeInFailures(product);
  await watchMonitors(product, gaps);
}

const statuses = async (monitorSlug: string) =>
  (await listCheckIns(ctx, { projectSlug: 'web', monitorSlug, cursor: null, limit: 100 })).rows.map(
    ({ status, startedAt }) => `${status} ${(startedAt - NOON_MS) / MINUTE_MS}`,
  );

const issues = async (name: string) =>
  (
    await listIssues(ctx, {
      query: 'issue.category:cron',
      projectSlugs: [],
      sort: 'new',
      range: null,
      cursor: null,
      limit: 50,
    })
  ).issues
    .filter(({ title }) => title === `Cron failure: ${name}`)
    .map(({ status, timesSeen }) => [status, timesSeen]);

test('a job is missed, fails, times out and recovers, and its issue with it', async () => {
  await says('nightly', 0, { monitorConfig: EVERY_10 });
  await look(10.5);
  expect(await issues('nightly')).toEqual([]);
  const monitor = await getMonitor(ctx, { projectSlugs: [], slug: 'nightly' });
  expect(monitor).toMatchObject({
    isUpserting: true,
    rank: 'ok',
    environments: [{ name: 'production', nextExpectedAt: at(10), deadlineAt: at(11) }],
  });

  await look(11.1);
  await look(11.2);
  expect(await issues('nightly')).toEqual([['unresolved', 1]]);
  expect(await statuses('nightly')).toEqual(['missed 10', 'ok 0']);
  expect((await getMonitor(ctx, { projectSlugs: [], slug: 'nightly' })).rank).toBe('failing');

  await says('nightly', 20, { status: 'error' });
  await look(20.1);
  expect(await issues('nightly')).toEqual([['unresolved', 2]]);

  await says('nightly', 30, { status: 'in_progress', checkInId: 'a'.repeat(32) });
  await says('nightly', 40, { status: 'in_progress', checkInId: 'b'.repeat(32) });
  await look(50);
  await says('nightly', 50, { status: 'in_progress', checkInId: 'c'.repeat(32) });
  await look(60.5);
  expect(await statuses('nightly')).toContain('timeout 30');
  expect(await issues('nightly')).toEqual([['unresolved', 3]]);

  await says('nightly', 60, { checkInId: 'c'.repeat(32) });
  await look(60.6);
  expect(await issues('nightly')).toEqual([['resolved', 3]]);
  expect((await getMonitor(ctx, { projectSlugs: [], slug: 'nightly' })).rank).toBe('ok');

  const range = { fromMs: NOON_MS, toMs: NOON_MS + 2 * HOUR_MS };
  const stats = await getMonitorStats(ctx, monitor, { range, bucketMs: HOUR_MS, environments: [] });
  expect(stats).toMatchObject({ ok: 2, ended: 5, averageDurationMs: 10 * MINUTE_MS });
  const { timelines } = await getMonitorTimelines(ctx, [monitor], range, HOUR_MS);
  expect(timelines).toMatchObject([
    { environment: 'production', buckets: [{ ok: 2, error: 1, missed: 1, timeout: 1, in_progress: 1 }, {}] },
  ]);
});

test('what several processes look at together is found once', async () => {
  await says('twice', 100, { monitorConfig: EVERY_10 });
  await look(100.1);
  product.clock.nowMs = at(111.5);
  await product.stores.ingestMarks.save('spool', {
    completeUntil: at(111.5),
    gaps: [],
    updatedAt: at(111.5),
  });
  await Promise.all([1, 2, 3].map(() => advanceMonitors(product.stores, () => product.clock.nowMs)));
  await look(111.6);
  expect(await statuses('twice')).toEqual(['missed 110', 'ok 100']);
  expect(await issues('twice')).toEqual([['unresolved', 1]]);
});

test('while nothing could be received, runs are unknown; what arrived meanwhile is looked at first', async () => {
  await says('away', 200, { monitorConfig: EVERY_10 });
  await look(200.1);
  // The jobs role is away for an hour; the edge received, except for a quarter of an hour.
  await says('away', 210);
  await says('away', 240);
  await says('away', 250);
  await look(255, [{ fromMs: at(215), toMs: at(235) }]);
  expect(await statuses('away')).toEqual([
    'ok 250',
    'ok 240',
    'unknown 230',
    'unknown 220',
    'ok 210',
    'ok 200',
  ]);
  expect(await issues('away')).toEqual([]);
});

test('what is not known to have arrived is waited for', async () => {
  await says('waits', 300, { monitorConfig: EVERY_10 });
  await look(300.1);
  product.clock.nowMs = at(315);
  const mark = { completeUntil: at(310.5), gaps: [], updatedAt: at(315) };
  await product.stores.ingestMarks.save('spool', mark);
  await advanceMonitors(product.stores, () => product.clock.nowMs);
  expect(await statuses('waits')).toEqual(['ok 300']);
  await says('waits', 310.7);
  await look(316);
  expect(await statuses('waits')).toEqual(['ok 310.7', 'ok 300']);
});

test('a monitor of the interface is watched from its first check-in on, and not while it is disabled', async () => {
  const schedule = { type: 'interval', value: 10, unit: 'minute' } as const;
  const created = await createMonitor(ctx, { projectSlug: 'web', name: 'Backup Job', schedule });
  expect(created).toMatchObject({ slug: 'backup-job', rank: 'waiting' });
  await look(450);
  await says('backup-job', 450);
  await look(455);
  await updateMonitor(ctx, created.id, { isDisabled: true });
  await look(480);
  await updateMonitor(ctx, created.id, { isDisabled: false });
  await look(489);
  expect(await statuses('backup-job')).toEqual(['ok 450']);
  await updateMonitorEnvironment(ctx, created.id, 'production', { isMuted: true });
  await look(501);
  expect((await statuses('backup-job'))[0]).toMatch(/^missed/);
  expect(await issues('Backup Job')).toEqual([]);
  await deleteMonitor(ctx, created.id);
  await expect(getMonitor(ctx, { projectSlugs: [], slug: 'backup-job' })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('a check-in without a schedule is listed; one that cannot be read says so', async () => {
  await says('plain', 600, { status: 'error' });
  await says('broken', 600, { monitorConfig: { schedule: { type: 'crontab', value: '61 * * * *' } } });
  await look(700);
  const monitors = (await listMonitors(ctx, { projectSlugs: [], cursor: null, limit: 100 })).rows;
  expect(monitors.find(({ slug }) => slug === 'plain')).toMatchObject({
    rank: 'unscheduled',
    schedule: null,
  });
  expect(monitors.find(({ slug }) => slug === 'broken')).toMatchObject({
    rank: 'misconfigured',
    configProblem: expect.stringContaining('minute'),
  });
  expect(await statuses('plain')).toEqual(['error 600']);
  expect(await issues('plain')).toEqual([]);
});

test('a monitor is refused with the field that is wrong', async () => {
  const input = { projectSlug: 'web', name: 'Refused', schedule: EVERY_10.schedule };
  const wrong = [
    [{ schedule: { type: 'crontab' as const, value: '* *' } }, 'schedule'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ checkinMargin: 50_000 }, 'checkinMargin'],
    [{ failureIssueThreshold: 1.5 }, 'failureIssueThreshold'],
    [{ slug: 'Not A Slug' }, 'slug'],
    [{ slug: 'nightly' }, 'slug'],
    [{ slug: '123' }, 'slug'],
    [{ name: ' ' }, 'name'],
    [{ owner: { kind: 'team' as const, teamId: 999_999 } }, 'owner'],
  ] as const;
  for (const [fields, field] of wrong) {
    await expect(createMonitor(ctx, { ...input, ...fields }), field).rejects.toMatchObject({ field });
  }
});
