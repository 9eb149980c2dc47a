import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UptimeEvidence } from '#domain/uptime/incident.ts';
import { createSecretBox } from '#lib/secret-box.ts';
import { UPTIME_DEFAULTS } from '#product/uptime/check-uptime-monitor.ts';
import { createUptimeIncidentStore } from '#product/uptime/store/uptime-incident-store.ts';
import { createUptimeLeaseStore, type FinishedCheck } from '#product/uptime/store/uptime-lease-store.ts';
import { createUptimeMonitorStore } from '#product/uptime/store/uptime-monitor-store.ts';
import { describeOnPostgres } from './engines.ts';
import { openPostgresStores, type PostgresStores } from './postgres-stores.ts';
import { MINUTE_MS, NOON_MS, newEventId } from './sample-events.ts';

const HEADERS = { Authorization: 'Bearer tell-nobody' };
const LEASE = { limit: 100, leaseMs: 30_000 };

const settings = (projectId: number, name = 'Shop') => ({
  projectId,
  name,
  url: 'https://shop.example.com/',
  intervalSeconds: 60 as const,
  environment: null,
  owner: null,
  isEnabled: true,
  headers: HEADERS,
  definition: { ...UPTIME_DEFAULTS, headerNames: Object.keys(HEADERS) },
});

const evidence: UptimeEvidence = {
  checkId: newEventId(),
  traceId: newEventId(),
  reason: 'status',
  detail: 'The status is 503, expected 200-299',
  method: 'GET',
  url: 'https://shop.example.com/',
  statusCode: 503,
  durationMs: 1.5,
  dnsMs: null,
  connectMs: null,
  tlsMs: null,
  firstByteMs: null,
  excerpt: 'away \0',
  certificateExpiresAt: null,
};

const finished = (change: Partial<FinishedCheck> = {}): FinishedCheck => ({
  state: 'up',
  failuresInRow: 0,
  successesInRow: 1,
  lastProblem: null,
  lastDurationMs: 12.5,
  certificateExpiresAt: null,
  checkedAt: NOON_MS,
  nextCheckAt: NOON_MS + MINUTE_MS,
  isNextRetry: false,
  opens: [],
  ends: [],
  ...change,
});

describeOnPostgres('uptime stores', (engine) => {
  let stores: PostgresStores;
  const box = createSecretBox('one secret of the instance', 'uptime');
  const open = () => {
    const { db } = stores.database;
    return {
      monitors: createUptimeMonitorStore(db, box),
      leases: createUptimeLeaseStore(db, box),
      incidents: createUptimeIncidentStore(db),
    };
  };
  const clear = () => sql`DELETE FROM uptime_monitors`.execute(stores.database.db);
  beforeAll(async () => {
    stores = await openPostgresStores(engine);
  });
  afterAll(async () => {
    await stores?.database.drop();
  });

  test('headers are encrypted, for one organization and one secret of the instance', async () => {
    await clear();
    const { monitors } = open();
    const { organizationId, projectId } = await stores.createTenant();
    const { id } = await monitors.add(organizationId, settings(projectId), null, NOON_MS);
    const { rows } = await sql<{ row: string }>`
      SELECT uptime_monitors::text AS row FROM uptime_monitors WHERE id = ${id}`.execute(stores.database.db);
    expect(rows[0]?.row).not.toContain('tell-nobody');
    expect(await monitors.readHeaders(organizationId, id)).toEqual(HEADERS);
    const other = createUptimeMonitorStore(stores.database.db, createSecretBox('another', 'uptime'));
    expect(await other.readHeaders(organizationId, id)).toBeNull();
    const theirs = await stores.createTenant();
    expect(await monitors.find(theirs.organizationId, id)).toBeNull();
    expect(await monitors.remove(theirs.organizationId, id)).toBe(false);
  });

  test('monitors are listed by name, in pages, of the given projects', async () => {
    await clear();
    const { monitors } = open();
    const { organizationId, projectId } = await stores.createTenant();
    for (const name of ['b', 'A', 'b', 'c']) {
      await monitors.add(organizationId, settings(projectId, name), null, NOON_MS);
    }
    const scope = { organizationId, projectIds: [projectId] };
    const first = await monitors.list(scope, { limit: 2, after: null });
    const rest = await monitors.list(scope, { limit: 9, after: first.at(-1)! });
    expect([...first, ...rest].map(({ name }) => name)).toEqual(['A', 'b', 'b', 'c']);
    expect(new Set([...first, ...rest].map(({ id }) => id)).size).toBe(4);
    expect(await monitors.list({ ...scope, projectIds: [] }, { limit: 9, after: null })).toEqual([]);
    expect(await monitors.count(organizationId)).toBe(4);
  });

  test('several processes share what is due, and none gets what another has before its lease ends', async () => {
    await clear();
    const { monitors, leases } = open();
    const { organizationId, projectId } = await stores.createTenant();
    for (let count = 0; count < 20; count++) {
      await monitors.add(organizationId, settings(projectId), null, NOON_MS);
    }
    const taken = await Promise.all(
      Array.from({ length: 4 }, () => leases.takeDue(NOON_MS, { ...LEASE, limit: 8 })),
    );
    const ids = taken.flat().map(({ id }) => id);
    expect(ids.length).toBe(new Set(ids).size);
    const rest = await leases.takeDue(NOON_MS, LEASE);
    expect(ids.length + rest.length).toBe(20);
    // The timeout of 10 seconds and the lease.
    expect(await leases.takeDue(NOON_MS + 39_999, LEASE)).toEqual([]);
    expect(await leases.takeDue(NOON_MS + 40_000, LEASE)).toHaveLength(20);
  });

  test('only whoever has the lease finishes a check, once, and never after an edit', async () => {
    await clear();
    const { monitors, leases } = open();
    const { organizationId, projectId } = await stores.createTenant();
    const { id } = await monitors.add(organizationId, settings(projectId), null, NOON_MS);
    const [due] = await leases.takeDue(NOON_MS, LEASE);
    expect(due).toMatchObject({ id, headers: HEADERS, scheduledAt: NOON_MS, isRetry: false, state: 'new' });
    expect(await leases.finish({ ...due!, leaseToken: 'stolen' }, finished())).toBe(false);
    expect(await leases.finish(due!, finished())).toBe(true);
    expect(await leases.finish(due!, finished())).toBe(false);
    expect(await monitors.find(organizationId, id)).toMatchObject({
      state: 'up',
      stateSince: NOON_MS,
      lastCheckedAt: NOON_MS,
      lastDurationMs: 12.5,
    });
    expect(await leases.takeDue(NOON_MS + MINUTE_MS - 1, LEASE)).toEqual([]);
    const [again] = await leases.takeDue(NOON_MS + MINUTE_MS, LEASE);
    await monitors.update(organizationId, id, settings(projectId, 'Renamed'), NOON_MS + MINUTE_MS);
    expect(await leases.finish(again!, finished({ state: 'down' }))).toBe(false);
    // It is due at once; one that is paused never is.
    expect(await leases.takeDue(NOON_MS + MINUTE_MS, LEASE)).toHaveLength(1);
    await monitors.update(organizationId, id, { ...settings(projectId), isEnabled: false }, NOON_MS);
    expect(await leases.takeDue(NOON_MS + 60 * MINUTE_MS, LEASE)).toEqual([]);
  });

  test('an incident is open once, and untold until its start and its end are told', async () => {
    await clear();
    const { monitors, leases, incidents } = open();
    const { organizationId, projectId } = await stores.createTenant();
    const { id } = await monitors.add(organizationId, settings(projectId), null, NOON_MS);
    const incident = { kind: 'downtime', startedAt: NOON_MS, evidence, eventId: newEventId() } as const;
    for (let minute = 0; minute < 2; minute++) {
      const [due] = await leases.takeDue(NOON_MS + minute * MINUTE_MS, LEASE);
      await leases.finish(due!, finished({ state: 'down', opens: [incident] }));
    }
    const [untold, ...others] = await incidents.listUntold(10);
    expect(others).toEqual([]);
    expect(untold).toMatchObject({
      monitorId: id,
      monitorName: 'Shop',
      isStartTold: false,
      isSuperseded: false,
      endedAt: null,
      // PostgreSQL holds no NUL.
      evidence: { ...evidence, excerpt: 'away ' },
    });
    await incidents.noteStartTold(untold!.id, NOON_MS);
    expect(await incidents.listUntold(10)).toEqual([]);

    const [due] = await leases.takeDue(NOON_MS + 2 * MINUTE_MS, LEASE);
    const ends = [{ kind: 'downtime', endedAt: NOON_MS + 2 * MINUTE_MS }] as const;
    await leases.finish(due!, finished({ nextCheckAt: NOON_MS + 3 * MINUTE_MS, ends }));
    expect(await incidents.listUntold(10)).toMatchObject([{ isStartTold: true, isSuperseded: false }]);
    const [next] = await leases.takeDue(NOON_MS + 3 * MINUTE_MS, LEASE);
    await leases.finish(next!, finished({ opens: [{ ...incident, startedAt: NOON_MS + 3 * MINUTE_MS }] }));
    expect(await incidents.listUntold(10)).toMatchObject([{ isSuperseded: true }, { isStartTold: false }]);
    await incidents.noteEndTold(untold!.id, NOON_MS);
    expect(await incidents.listUntold(10)).toHaveLength(1);

    const list = (sinceMs: number) =>
      incidents.list(organizationId, { monitorIds: [id], sinceMs, limit: 10 });
    expect(await list(NOON_MS)).toHaveLength(2);
    expect(await list(NOON_MS + 3 * MINUTE_MS)).toHaveLength(1);
    await incidents.endAll(organizationId, id, NOON_MS + 4 * MINUTE_MS);
    expect((await list(NOON_MS)).every(({ endedAt }) => endedAt !== null)).toBe(true);
  });
});
