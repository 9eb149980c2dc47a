import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UptimeCheck } from '#domain/uptime/check.ts';
import { createDeletedProjectData } from '#storage/clickhouse/deleted-data.ts';
import { createStoredDays } from '#storage/clickhouse/stored-days.ts';
import { createUptimeCheckStore } from '#storage/clickhouse/uptime-check-store.ts';
import { createMigratedClickhouse, describeOnClickhouse } from './engines.ts';
import { HOSTILE_TEXT, HOUR_MS, MINUTE_MS, NOON_MS, newEventId } from './sample-events.ts';

const ORGANIZATION = 7;
const DAY = new Date(NOON_MS).toISOString().slice(0, 10);
let projects = 1_000;

describeOnClickhouse('UptimeCheckStore', (engine) => {
  let database: Awaited<ReturnType<typeof createMigratedClickhouse>>;
  beforeAll(async () => {
    database = await createMigratedClickhouse(engine);
  });
  afterAll(async () => {
    await database?.drop();
  });

  /** The store, and checks of a project of its own, `minute` after noon. */
  function open() {
    const projectId = ++projects;
    const store = createUptimeCheckStore(database);
    const make = (minute: number, fields: Partial<UptimeCheck> = {}): UptimeCheck => ({
      organizationId: ORGANIZATION,
      projectId,
      monitorId: 1,
      checkId: newEventId(),
      checkedAt: NOON_MS + minute * MINUTE_MS,
      scheduledAt: NOON_MS + minute * MINUTE_MS - 5,
      status: 'success',
      reason: null,
      detail: '',
      statusCode: 200,
      durationMs: 10.25,
      dnsMs: 1,
      connectMs: 2,
      tlsMs: null,
      firstByteMs: 3,
      region: 'default',
      traceId: newEventId(),
      isRetry: false,
      isInMaintenance: false,
      isInIncident: false,
      certificateExpiresAt: null,
      ...fields,
    });
    const scope = { organizationId: ORGANIZATION, projectIds: [projectId] };
    const list = (query = {}) =>
      store.list(scope, { monitorId: 1, limit: 10, before: null, range: null, status: null, ...query });
    return { projectId, store, make, scope, list };
  }

  test('a check is read as it was written, once however often it was', async () => {
    const { store, make, list } = open();
    const checks = [
      make(0, {
        status: 'failure',
        reason: 'tls_error',
        detail: HOSTILE_TEXT.toWellFormed(),
        statusCode: null,
        certificateExpiresAt: NOON_MS + HOUR_MS,
      }),
      make(1),
    ];
    await store.insert(checks, newEventId());
    await store.insert(checks, newEventId());
    expect((await list()).rows).toEqual(checks.toReversed());
  });

  test('pages go on where the one before ended, of one monitor, range and status', async () => {
    const { store, make, list } = open();
    const failure = { status: 'failure', reason: 'status' } as const;
    const checks = [0, 1, 1, 2, 3].map((minute, place) => make(minute, place === 4 ? failure : {}));
    await store.insert([...checks, make(2, { monitorId: 2 })], newEventId());
    const first = await list({ limit: 2 });
    const second = await list({ limit: 2, before: first.next });
    const third = await list({ limit: 2, before: second.next });
    const ids = [first, second, third].flatMap(({ rows }) => rows.map(({ checkId }) => checkId));
    expect(new Set(ids)).toEqual(new Set(checks.map(({ checkId }) => checkId)));
    expect(third.next).toBeNull();
    expect((await list({ status: 'failure' })).rows).toEqual([checks[4]]);
    const range = { fromMs: NOON_MS + MINUTE_MS, toMs: NOON_MS + 2 * MINUTE_MS };
    expect((await list({ range })).rows).toHaveLength(2);
  });

  test('buckets count what was on schedule, each check once, and leave out retries and maintenance', async () => {
    const { store, make, scope } = open();
    const failure = { status: 'failure', reason: 'status', durationMs: 999 } as const;
    const checks = [
      make(0, { durationMs: 10 }),
      make(1, { durationMs: 30 }),
      make(2, failure),
      make(2.5, { ...failure, isRetry: true }),
      make(3, { ...failure, isInMaintenance: true }),
      make(61, { status: 'unknown', reason: 'dns_error' }),
      make(62, { monitorId: 2 }),
    ];
    await store.insert(checks, newEventId());
    await store.insert(checks, newEventId());
    const range = { fromMs: NOON_MS, toMs: NOON_MS + 2 * HOUR_MS };
    const ask = (projectIds: readonly number[]) =>
      store.countBuckets({ ...scope, projectIds }, { monitorIds: [1, 2], range, bucketMs: HOUR_MS });
    const none = { averageMs: null, p95Ms: null };
    expect(await ask(scope.projectIds)).toEqual([
      { monitorId: 1, bucket: 0, successes: 2, failures: 1, unknown: 0, averageMs: 20, p95Ms: 29 },
      { monitorId: 1, bucket: 1, successes: 0, failures: 0, unknown: 1, ...none },
      { monitorId: 2, bucket: 1, successes: 1, failures: 0, unknown: 0, averageMs: 10.25, p95Ms: 10.25 },
    ]);
    expect(await ask([])).toEqual([]);
    expect(await ask([scope.projectIds[0]! + 1_000_000])).toEqual([]);
  });

  test('days are measured and dropped as those of other kinds, and a deleted project leaves nothing', async () => {
    const one = open();
    const two = open();
    await one.store.insert([one.make(0), two.make(0)], newEventId());
    const days = createStoredDays(database);
    expect(await days.list()).toContainEqual(expect.objectContaining({ kind: 'uptimeChecks', day: DAY }));
    const unit = { kind: 'uptimeChecks', day: DAY, part: null, projectId: one.projectId, hours: [] } as const;
    expect(await days.countByProject(unit)).toMatchObject([{ projectId: one.projectId, rows: 1 }]);
    await days.drop([unit]);
    expect((await one.list()).rows).toEqual([]);
    expect((await two.list()).rows).toHaveLength(1);
    await createDeletedProjectData(database).deleteRows({
      organizationId: ORGANIZATION,
      projectId: two.projectId,
    });
    expect((await two.list()).rows).toEqual([]);
  });
});
