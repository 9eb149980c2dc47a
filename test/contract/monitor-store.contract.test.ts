import { afterAll, beforeAll, expect, test } from 'vitest';
import { NEW_STATE } from '#domain/monitors/monitor-state.ts';
import { DEFAULT_MONITOR_SETTINGS } from '#product/monitors/monitor.ts';
import { createMonitorStore } from '#product/monitors/store/monitor-store.ts';
import { createMonitorWatchStore } from '#product/monitors/store/watch-store.ts';
import { queueCheckIns } from '#storage/postgres/digest/monitor-check-ins.ts';
import { inTransaction } from '#storage/postgres/transaction.ts';
import { describeOnPostgres } from './engines.ts';
import { openPostgresStores, type PostgresStores, type Tenant } from './postgres-stores.ts';
import { HOSTILE_TEXT, MINUTE_MS, NOON_MS, newEventId } from './sample-events.ts';

describeOnPostgres('MonitorStore', (engine) => {
  let stores: PostgresStores;
  let monitors: ReturnType<typeof createMonitorStore>;
  let watch: ReturnType<typeof createMonitorWatchStore>;
  beforeAll(async () => {
    stores = await openPostgresStores(engine);
    monitors = createMonitorStore(stores.database.db);
    watch = createMonitorWatchStore(stores.database.db);
  });
  afterAll(async () => {
    await stores?.database.drop();
  });

  const fieldsOf = ({ projectId }: Tenant, slug: string) => ({
    ...DEFAULT_MONITOR_SETTINGS,
    schedule: { type: 'interval', value: 5, unit: 'minute' } as const,
    projectId,
    slug,
    name: slug,
    ownerUserId: null,
    ownerTeamId: null,
    isDisabled: false,
    isMuted: false,
  });
  const query = ({ projectId }: Tenant) => ({
    projectIds: [projectId],
    environments: [],
    text: '',
    after: null,
    limit: 10,
  });

  test('lists those that fail first, page by page, and nothing of other organizations', async () => {
    const tenant = await stores.createTenant();
    const other = await stores.createTenant();
    const { organizationId } = tenant;
    for (const slug of ['a', 'b', 'c'])
      await monitors.create(organizationId, fieldsOf(tenant, slug), NOON_MS);
    const [b] = await monitors.findBySlug(organizationId, [tenant.projectId], 'b');
    const [environment] = await watch.openEnvironments([{ monitorId: b!.id, name: 'production' }], NOON_MS);
    const incident = { id: newEventId(), startedAt: NOON_MS, toldAt: null };
    const state = { ...NEW_STATE, firstCheckInAt: NOON_MS, failures: 1, incident };
    await watch.saveStates([{ id: environment!.id, state, dueAt: NOON_MS }]);

    const all = await monitors.list(organizationId, query(tenant));
    expect(all.map(({ slug, rank }) => [slug, rank])).toEqual([
      ['b', 'failing'],
      ['a', 'waiting'],
      ['c', 'waiting'],
    ]);
    const after = { rank: 0, name: 'b', id: b!.id };
    const rest = await monitors.list(organizationId, { ...query(tenant), after });
    expect(rest.map(({ slug }) => slug)).toEqual(['a', 'c']);
    const named = (change: object) => monitors.list(organizationId, { ...query(tenant), ...change });
    expect(await named({ text: HOSTILE_TEXT })).toEqual([]);
    expect((await named({ environments: ['production'] })).map(({ slug }) => slug)).toEqual(['b']);
    expect(await monitors.list(other.organizationId, query(tenant))).toEqual([]);
    expect(await monitors.find(other.organizationId, b!.id)).toBeNull();
    expect(await monitors.delete(other.organizationId, b!.id)).toBe(false);
    await expect(monitors.create(organizationId, fieldsOf(tenant, 'b'), NOON_MS)).rejects.toMatchObject({
      code: 'conflict',
      field: 'slug',
    });
    expect((await watch.takeDue(NOON_MS + 1, 10)).map(({ monitor }) => monitor.slug)).toEqual(['b']);
    expect(await watch.takeDue(NOON_MS, 10)).toEqual([]);
  });

  test('takes check-ins once, in their order, and leaves those that are younger than what is known', async () => {
    const { organizationId, projectId } = await stores.createTenant();
    const checkIn = (slug: string, minutes: number) => ({
      organizationId,
      projectId,
      keyId: 1,
      receivedAt: NOON_MS,
      checkInId: '0'.repeat(32),
      monitorSlug: slug,
      status: 'ok' as const,
      environment: HOSTILE_TEXT,
      occurredAt: NOON_MS + minutes * MINUTE_MS,
      durationMs: null,
      traceId: null,
      monitorConfig: null,
    });
    const rows = [checkIn('one', 2), checkIn('two', 1), checkIn('late', 10), checkIn('odd', 999)];
    await stores.database.db.transaction().execute((transaction) => queueCheckIns(transaction, rows));
    const take = () => watch.takeCheckIns(NOON_MS + 5 * MINUTE_MS, NOON_MS + 60 * MINUTE_MS, 10);
    const taken = await take();
    expect(taken.map(({ slug }) => slug)).toEqual(['one', 'two', 'odd']);
    expect(taken[0]).toMatchObject({ checkInId: null, at: NOON_MS + 2 * MINUTE_MS });
    expect(await take()).toEqual([]);

    const wanted = [...taken, { organizationId, projectId: 999_999_999, slug: 'gone' }];
    const opened = await watch.openMonitors(wanted, NOON_MS);
    expect(opened.map(({ slug }) => slug).sort()).toEqual(['odd', 'one', 'two']);
    expect((await watch.openMonitors(wanted, NOON_MS)).map(({ id }) => id)).toEqual(
      opened.map(({ id }) => id),
    );
  });

  test('lets one at a time in', async () => {
    const both = await inTransaction(stores.database.pool, async (first) => [
      await createMonitorWatchStore(first.db).lock(),
      await inTransaction(stores.database.pool, (second) => createMonitorWatchStore(second.db).lock()),
    ]);
    expect(both).toEqual([true, false]);
    expect(await inTransaction(stores.database.pool, ({ db }) => createMonitorWatchStore(db).lock())).toBe(
      true,
    );
  });
});
