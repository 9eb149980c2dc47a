import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChangeFeed } from '#storage/ports/feeds.ts';
import { createChangeFeed } from '#storage/postgres/feeds.ts';
import { testInFull } from '../harness/is-full.ts';
import { describeOnPostgres, testLog } from './engines.ts';
import { openPostgresStores, type PostgresStores } from './postgres-stores.ts';
import { makeEvent, NOON_MS } from './sample-events.ts';

type Change = Parameters<Parameters<ChangeFeed['subscribe']>[0]>[0];

const WAIT_MS = 10_000;

describeOnPostgres('ChangeFeed', (engine) => {
  let stores: PostgresStores;
  let feed: ReturnType<typeof createChangeFeed>;
  beforeAll(async () => {
    stores = await openPostgresStores(engine);
    feed = createChangeFeed({ url: stores.database.url, log: testLog });
  });
  afterAll(async () => {
    await feed?.close();
    await stores?.database.drop();
  });

  /** Subscribes, and makes changes of a project of its own until the feed tells of one: it listens from then on. */
  async function follow(): Promise<{ changes: Change[]; stop: () => void }> {
    const changes: Change[] = [];
    const stop = feed.subscribe((change) => changes.push(change));
    const probe = await stores.createTenant();
    await expect
      .poll(
        async () => {
          await stores.assignNext([makeEvent({ ...probe })]);
          return changes.length;
        },
        { timeout: WAIT_MS, interval: 100 },
      )
      .toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    changes.length = 0;
    return { changes, stop };
  }

  test('tells of the projects whose issues a batch changed, once', async () => {
    const { changes, stop } = await follow();
    const [a, b] = [await stores.createTenant(), await stores.createTenant()];
    const second = await stores.createProject(a.organizationId, 'second');
    await stores.assignNext([a, a, second, b].map((tenant) => makeEvent({ ...tenant })));
    await expect.poll(() => changes.length, { timeout: WAIT_MS }).toBe(2);
    const ofA = changes.find((change) => change.organizationId === a.organizationId);
    expect(new Set(ofA?.projectIds)).toEqual(new Set([a.projectId, second.projectId]));
    expect(changes.find((change) => change.organizationId === b.organizationId)?.projectIds).toEqual([
      b.projectId,
    ]);
    stop();
  });

  test('tells of what people change, and not of what changes nothing', async () => {
    const { changes, stop } = await follow();
    const tenant = await stores.createTenant();
    await stores.assignNext([makeEvent({ ...tenant })]);
    const [issue] = await stores.listIssues(tenant);
    await expect.poll(() => changes.length, { timeout: WAIT_MS }).toBe(1);
    const resolve = () =>
      stores.issues.update(tenant.organizationId, [issue!.id], { status: 'resolved' }, null, NOON_MS);
    await resolve();
    await expect.poll(() => changes.length, { timeout: WAIT_MS }).toBe(2);
    await resolve();
    await new Promise((done) => setTimeout(done, 500));
    expect(changes).toHaveLength(2);
    stop();
  });

  testInFull('a batch that is not applied tells nothing', async () => {
    const { changes, stop } = await follow();
    const tenant = await stores.createTenant();
    const stretch = { spoolId: 'replayed', from: 0, to: 1 };
    const events = [makeEvent({ ...tenant })];
    await stores.digest.assign(stretch, events, [], [], NOON_MS);
    await expect.poll(() => changes.length, { timeout: WAIT_MS }).toBe(1);
    await stores.digest.assign(stretch, events, [], [], NOON_MS);
    await new Promise((done) => setTimeout(done, 500));
    expect(changes).toHaveLength(1);
    stop();
  });

  testInFull('who has stopped hears nothing more, and others still do', async () => {
    const first = await follow();
    const second = await follow();
    first.stop();
    first.changes.length = 0;
    const tenant = await stores.createTenant();
    await stores.assignNext([makeEvent({ ...tenant })]);
    await expect.poll(() => second.changes.length, { timeout: WAIT_MS }).toBe(1);
    expect(first.changes).toEqual([]);
    second.stop();
  });

  test('listens again after its connection was cut', async () => {
    const { changes, stop } = await follow();
    await stores.database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE 'LISTEN %'`,
    );
    const tenant = await stores.createTenant();
    await expect
      .poll(
        async () => {
          await stores.assignNext([makeEvent({ ...tenant })]);
          return changes.some((change) => change.organizationId === tenant.organizationId);
        },
        { timeout: WAIT_MS, interval: 200 },
      )
      .toBe(true);
    stop();
  });
});
