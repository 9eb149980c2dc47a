import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { DigestedEvent } from '#protocol/event.ts';
import { createAnalyticSource } from '#storage/clickhouse/backup/analytic-cut.ts';
import { openAnalyticDestination } from '#storage/clickhouse/backup/analytic-destination.ts';
import type { ClickhouseDatabase } from '#storage/clickhouse/client.ts';
import { createDeletedEventStore, createDeletedProjectData } from '#storage/clickhouse/deleted-data.ts';
import { createDeletedRows } from '#storage/clickhouse/deleted-rows.ts';
import { diagnoseClickhouse } from '#storage/clickhouse/diagnose.ts';
import { createEventStore } from '#storage/clickhouse/event-store.ts';
import { listOwnTables, migrateClickhouse } from '#storage/clickhouse/migrate.ts';
import { openClickhouse } from '#storage/clickhouse/open-clickhouse.ts';
import { createPersonRows } from '#storage/clickhouse/person/person-rows.ts';
import { createRegroupEvents } from '#storage/clickhouse/regroup/regroup-events.ts';
import { createReprocessEvents } from '#storage/clickhouse/reprocess/reprocess-events.ts';
import { createStoredDays } from '#storage/clickhouse/stored-days.ts';
import { createTelemetryStore } from '#storage/clickhouse/telemetry-store.ts';
import { type ClickhouseShards, startClickhouseShards } from '../../harness/clickhouse-shards.ts';
import { createMigratedClickhouse, testLog } from '../engines.ts';
import { DAY_MS, hashOf, makeEvent, NOON_MS } from '../sample-events.ts';
import { makeRow } from '../sample-telemetry.ts';

const ORGANIZATION = 1;
const DAY = '2026-03-01';
const EVENTS = 60;
/** Migrating two servers, and changing rows of both, is more than a single one does. */
const TIMEOUT_MS = 300_000;

let shards: ClickhouseShards;
let database: ClickhouseDatabase;
let projectId = 0;
let tokens = 0;

beforeAll(async () => {
  shards = await startClickhouseShards();
  database = openClickhouse(shards.url);
  await migrateClickhouse(database, testLog);
}, 200_000);
afterAll(async () => {
  await database?.close();
  await shards?.remove();
});

const token = () => `token ${++tokens}`;
const scope = () => ({ organizationId: ORGANIZATION, projectIds: [projectId] });
const newEvents = (overrides: Partial<DigestedEvent> = {}, count = EVENTS) =>
  Array.from({ length: count }, () => makeEvent({ organizationId: ORGANIZATION, projectId, ...overrides }));

const deletedProject = (id: number) => ({
  organizationId: ORGANIZATION,
  projectId: id,
  deletedAt: NOON_MS,
  sweeps: 0,
});

/** Events of a new project, stored. */
async function fill(overrides: Partial<DigestedEvent> = {}): Promise<DigestedEvent[]> {
  projectId += 1;
  const events = newEvents(overrides);
  await createEventStore(database).insertEvents(events, token());
  return events;
}

/** What each server answers of its own tables. */
async function onEach<Row>(sql: string, params: Record<string, unknown> = {}): Promise<Row[][]> {
  const answers: Row[][] = [];
  for (const host of shards.hosts) {
    const server = openClickhouse(shards.urlOf(host, database.storedIn));
    try {
      answers.push(await server.query<Row>(sql, { projectId, ...params }));
    } finally {
      await server.close();
    }
  }
  return answers;
}

const countOnEach = async (table: string, where = 'project_id = {projectId:UInt64}'): Promise<number[]> =>
  (await onEach<{ rows: number }>(`SELECT count() AS rows FROM ${table} FINAL WHERE ${where}`)).map(
    ([row]) => row?.rows ?? 0,
  );

/** Rows of the index whose event lies elsewhere, and events without one. */
const apart = () =>
  onEach<{ rows: number }>(
    `SELECT count() AS rows FROM (
       SELECT leftPad(lower(hex(event_id)), 32, '0') AS id, leftPad(lower(hex(grouping_hash)), 32, '0') AS hash
         FROM event_index WHERE project_id = {projectId:UInt64} GROUP BY id, hash
       UNION ALL
       SELECT toString(event_id) AS id, toString(grouping_hash) AS hash
         FROM events WHERE project_id = {projectId:UInt64} GROUP BY id, hash)
     WHERE 1 GROUP BY id, hash HAVING count() != 2`,
  );

describe('rows of one project', { timeout: TIMEOUT_MS }, () => {
  test('lie on both shards, each on one, beside what is about it; what comes twice is there once', async () => {
    const events = await fill();
    const store = createEventStore(database);
    await store.insertEvents(events, token());
    const counts = await countOnEach('events');
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(counts.reduce((sum, count) => sum + count)).toBe(EVENTS);
    expect(await countOnEach('event_index')).toEqual(counts);
    expect(await apart()).toEqual([[], []]);
    expect((await store.listEvents(scope(), { limit: 100, before: null, range: null })).events).toHaveLength(
      EVENTS,
    );
    expect((await store.findStored(events)).size).toBe(EVENTS);
  });

  test('the same insert again, after a crash, writes nothing', async () => {
    projectId += 1;
    const events = newEvents();
    const store = createEventStore(database);
    for (let round = 0; round < 3; round++) await store.insertEvents(events, 'the same');
    const [rows] = await database.query<{ rows: number }>(
      'SELECT count() AS rows FROM events WHERE project_id = {projectId:UInt64}',
      { projectId },
    );
    expect(rows?.rows).toBe(EVENTS);
  });

  test('every kind of telemetry is spread', async () => {
    projectId += 1;
    const own = { organizationId: ORGANIZATION, projectId };
    const many = <Row>(make: () => Row) => Array.from({ length: 40 }, make);
    await createTelemetryStore(database).insert(
      {
        transactions: many(() => makeRow('transactions', own)),
        spans: many(() => makeRow('spans', own)),
        logs: many(() => makeRow('logs', own)),
        metrics: many(() => makeRow('metrics', own)),
        sessions: many(() => makeRow('sessions', own)),
        checkIns: many(() => makeRow('checkIns', own)),
        replays: many(() => makeRow('replays', own)),
        profiles: many(() => makeRow('profiles', own)),
      },
      token(),
    );
    for (const table of [
      'transactions',
      'spans',
      'logs',
      'metrics',
      'sessions',
      'check_ins',
      'replays',
      'profiles',
    ]) {
      const counts = await countOnEach(table);
      expect(Math.min(...counts), table).toBeGreaterThan(0);
      expect(
        counts.reduce((sum, count) => sum + count),
        table,
      ).toBe(40);
    }
  });

  test('are searched on all shards', async () => {
    await fill({ tags: [['color', 'red']] });
    const red = {
      kind: 'text',
      field: { kind: 'tag', key: 'color' },
      matches: [{ kind: 'exact', text: 'red' }],
      isNegated: false,
    } as const;
    const store = createEventStore(database);
    const page = { limit: 100, before: null, range: null, expression: red };
    expect((await store.listEvents(scope(), page)).events).toHaveLength(EVENTS);
    const other = { ...red, matches: [{ kind: 'exact' as const, text: 'blue' }] };
    expect((await store.listEvents(scope(), { ...page, expression: other })).events).toEqual([]);
  });
});

describe('what changes rows changes them on all shards', { timeout: TIMEOUT_MS }, () => {
  test('events that are deleted go with what belongs to them, wherever that is', async () => {
    const events = await fill({ groupingHash: hashOf('gone') });
    const kept = newEvents({ groupingHash: hashOf('kept') }, 10);
    await createEventStore(database).insertEvents(kept, token());
    const own = { organizationId: ORGANIZATION, projectId };
    const about = (event: DigestedEvent) => makeRow('feedback', { ...own, associatedEventId: event.eventId });
    const telemetry = createTelemetryStore(database);
    await telemetry.insert(
      {
        feedback: [...events, ...kept].map(about),
        attachments: [...events, ...kept].map(({ eventId }) => makeRow('attachments', { ...own, eventId })),
      },
      token(),
    );
    // Some of it lies on another shard than its event.
    expect(Math.min(...(await countOnEach('feedback')))).toBeGreaterThan(0);
    const deletion = { id: 1, ...own, hashes: [hashOf('gone')], requestedAt: NOON_MS + DAY_MS };
    const deleted = createDeletedEventStore(database);
    expect(await deleted.listBlobKeys(deletion, '', 1_000)).toHaveLength(EVENTS);
    await deleted.deleteEvents(deletion);
    for (const table of ['events', 'event_index', 'feedback', 'attachments'])
      expect(
        (await countOnEach(table)).reduce((sum, count) => sum + count),
        table,
      ).toBe(kept.length);
    expect((await createEventStore(database).findStored([...events, ...kept])).size).toBe(kept.length);
  });

  test('a day that retention drops is gone, whole or for one project', async () => {
    await fill();
    const other = projectId;
    await fill();
    const days = createStoredDays(database);
    const unit = { kind: 'events', day: DAY, part: null, hours: [] } as const;
    const [stored] = (await days.list()).filter(({ kind, day }) => kind === 'events' && day === DAY);
    const [counted] = await database.query<{ rows: number }>(
      `SELECT count() AS rows FROM events WHERE toDate(received_at) = '${DAY}'`,
      {},
    );
    expect(stored?.rows).toBeGreaterThanOrEqual(counted?.rows ?? 0);
    const weights = await days.weigh('events', DAY);
    expect(weights.find((share) => share.projectId === projectId)).toMatchObject({ rows: EVENTS });
    await days.drop([{ ...unit, projectId }]);
    expect(await countOnEach('events')).toEqual([0, 0]);
    expect(await countOnEach('event_index')).toEqual([0, 0]);
    projectId = other;
    expect(Math.min(...(await countOnEach('events')))).toBeGreaterThan(0);
    await days.drop([{ ...unit, projectId: null }]);
    expect(await countOnEach('events', '1')).toEqual([0, 0]);
    expect((await days.list()).filter(({ kind }) => kind === 'events')).toEqual([]);
  });

  test('events that are regrouped move where they are, and back', async () => {
    const from = hashOf('before');
    const to = hashOf('after');
    const events = await fill({ groupingHash: from });
    const before = await countOnEach('events');
    const regroup = createRegroupEvents(database);
    const place = { changeId: 5, organizationId: ORGANIZATION, projectId, phase: 'apply', round: 0 } as const;
    const moves = events.map(({ eventId, occurredAt, receivedAt }) => ({
      eventId,
      from,
      to,
      occurredAt,
      receivedAt,
    }));
    await regroup.noteMoves(place, moves);
    expect(await regroup.listMoveDays(5, 'apply', 0)).toEqual([DAY]);
    for (const [isReverse, hash] of [
      [false, to],
      [true, from],
    ] as const) {
      await regroup.moveDay(place, DAY, [{ from, to }], isReverse);
      expect(
        await countOnEach('events', `project_id = {projectId:UInt64} AND grouping_hash = '${hash}'`),
      ).toEqual(before);
      expect(await countOnEach('events')).toEqual(before);
      expect(await apart()).toEqual([[], []]);
    }
    await regroup.forget([5]);
    expect(await regroup.listMoveDays(5, 'apply', 0)).toEqual([]);
  });

  test('events that are symbolicated anew take the place of those that were there', async () => {
    const events = await fill();
    const before = await countOnEach('events');
    const reprocess = createReprocessEvents(database);
    await reprocess.stage(
      9,
      events.map((event) => ({ ...event, title: 'read from its source' })),
    );
    expect(await reprocess.listStagedDays(9)).toEqual([DAY]);
    expect(await reprocess.listStagedRuns()).toEqual([9]);
    await reprocess.replaceDay(9, { organizationId: ORGANIZATION, projectId }, DAY);
    expect(
      await countOnEach('events', "project_id = {projectId:UInt64} AND title = 'read from its source'"),
    ).toEqual(before);
    expect(await countOnEach('events')).toEqual(before);
    await reprocess.forget(9);
    expect(await reprocess.listStagedRuns()).toEqual([]);
  });

  test('a person is found by rows on other shards, hidden, and erased from the files', async () => {
    const person = { id: null, email: 'ann@example.com', username: null, ip: null };
    await fill({ user: person });
    await createEventStore(database).insertEvents(newEvents({}, 10), token());
    const own = { organizationId: ORGANIZATION, projectId };
    const transactions = Array.from({ length: 30 }, () => makeRow('transactions', { ...own, user: person }));
    // By its trace, a span lies elsewhere than the transaction that it belongs to.
    const spans = transactions.map(({ eventId }) => makeRow('spans', { ...own, transactionId: eventId }));
    await createTelemetryStore(database).insert({ transactions, spans }, token());
    const rows = createPersonRows(database);
    const query = {
      organizationId: ORGANIZATION,
      identifiers: [{ kind: 'email' as const, value: 'ann@example.com' }],
      distinctIdHashes: [],
      receivedUntilMs: NOON_MS + DAY_MS,
    };
    await rows.note(3, query);
    const counted = Object.fromEntries(
      (await rows.count(3))
        .filter((each) => each.projectId === projectId)
        .map(({ kind, rows: n }) => [kind, n]),
    );
    expect(counted).toMatchObject({ events: EVENTS, transactions: 30, spans: 30 });
    expect((await rows.read(3, 'spans', '', 100)).map(({ rowId }) => rowId)).toHaveLength(30);
    await rows.hide(3, query);
    expect((await countOnEach('events')).reduce((sum, count) => sum + count)).toBe(10);
    expect((await countOnEach('event_index')).reduce((sum, count) => sum + count)).toBe(10);
    for (const table of ['transactions', 'spans']) expect(await countOnEach(table)).toEqual([0, 0]);
    const deleted = createDeletedRows(database);
    const hidden = (await deleted.listHidden()).filter(({ table }) => table === 'spans');
    expect(hidden).toHaveLength(1);
    for (const each of hidden) await deleted.purge(each);
    expect((await deleted.listHidden()).filter(({ table }) => table === 'spans')).toEqual([]);
    expect(await rows.listNoted()).toEqual([3]);
    await rows.forget(3);
    expect(await rows.listNoted()).toEqual([]);
  });

  test('a project that is deleted leaves nothing', async () => {
    await fill();
    const data = createDeletedProjectData(database);
    const project = deletedProject(projectId);
    expect(await data.countRows(project)).toEqual({ events: EVENTS });
    await data.deleteRows(project);
    expect(await data.countRows(project)).toEqual({});
    expect(await countOnEach('event_values')).toEqual([0, 0]);
  });
});

describe('the schema', { timeout: TIMEOUT_MS }, () => {
  test('is on every server, once, and joined', async () => {
    const lists = await onEach<{ version: number }>('SELECT version FROM schema_migrations ORDER BY version');
    expect(lists[0]!.length).toBeGreaterThan(10);
    expect(lists[1]).toEqual(lists[0]);
    const made = () =>
      onEach<{ name: string; uuid: string; engine: string }>(
        `SELECT name, toString(uuid) AS uuid, engine FROM system.tables WHERE database = {name:String} ORDER BY name`,
        { name: database.name },
      );
    const before = await made();
    for (const tables of before) {
      expect(tables.map(({ name }) => name)).toEqual(listOwnTables());
      expect(new Set(tables.map(({ engine }) => engine))).toEqual(new Set(['Distributed']));
    }
    await migrateClickhouse(database, testLog);
    expect(await made()).toEqual(before);
  });

  test('a column that shards get is joined', async () => {
    await database.command('ALTER TABLE uptime_checks ADD COLUMN added UInt8 DEFAULT 1');
    const read = () => database.query('SELECT added FROM uptime_checks', {});
    await expect(read()).rejects.toThrow('added');
    await database.joinTables(listOwnTables());
    expect(await read()).toEqual([]);
    await database.command('ALTER TABLE uptime_checks DROP COLUMN added');
    await database.joinTables(listOwnTables());
  });

  test('tables of a single server are not taken for those of a cluster', async () => {
    const host = shards.hosts[0]!;
    const single = openClickhouse(shards.urlOf(host, 'errata_single'));
    await migrateClickhouse(single, testLog);
    await single.close();
    const cluster = openClickhouse(`${shards.urlOf(host, 'errata_single')}?cluster=pair`);
    try {
      await expect(migrateClickhouse(cluster, testLog)).rejects.toThrow('tables of a single server');
    } finally {
      await cluster.close();
    }
  });

  test('a cluster that the server does not know is named, with those that it knows', async () => {
    const cluster = openClickhouse(`${shards.urlOf(shards.hosts[0]!, 'errata')}?cluster=other`);
    try {
      await expect(migrateClickhouse(cluster, testLog)).rejects.toThrow(/no cluster "other".*pair/);
    } finally {
      await cluster.close();
    }
  });

  test('a server without tables is not ready, and no reason to set events aside', async () => {
    const url = new URL(shards.url);
    url.pathname = '/errata_none';
    const cluster = openClickhouse(url.href);
    try {
      await expect(createEventStore(cluster).insertEvents(newEvents(), token())).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('restart Errata'),
      });
    } finally {
      await cluster.close();
    }
  });

  test('one server of a cluster without Keeper has a shard for itself', async () => {
    const cluster = openClickhouse(`${shards.urlOf(shards.hosts[0]!, 'errata')}?cluster=copies`);
    try {
      await expect(migrateClickhouse(cluster, testLog)).rejects.toThrow(/several servers.*Keeper/);
    } finally {
      await cluster.close();
    }
  });
});

describe('backups', { timeout: TIMEOUT_MS }, () => {
  test('are not made of a cluster, which says how they are', async () => {
    await expect(createAnalyticSource(shards.url).begin()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('ON CLUSTER'),
    });
  });

  test('of a single server are restored into a cluster, which is how data moves there', async () => {
    const single = createMigratedClickhouse({ name: 'embedded', url: inject('embeddedClickhouseUrl') });
    projectId += 1;
    const events = newEvents({ tags: [['moved', 'yes']] });
    await createEventStore(single).insertEvents(events, token());
    const own = { organizationId: ORGANIZATION, projectId };
    await createTelemetryStore(single).insert(
      { spans: Array.from({ length: 20 }, () => makeRow('spans', own)) },
      token(),
    );
    const source = createAnalyticSource(single.url);
    const url = new URL(shards.url);
    url.pathname = '/errata_moved';
    const destination = openAnalyticDestination(url.href, testLog);
    const begun = await source.begin();
    try {
      const cut = await begun.hold(() => false);
      expect(await destination.describeContent()).toBeNull();
      await destination.prepare(cut.migrations);
      for (const partition of cut.partitions) {
        const table = cut.tables.find(({ name }) => name === partition.table);
        const facts = await cut.measure(partition);
        await destination.write(table!, cut.read(partition));
        expect(await destination.measure(partition, Object.keys(facts.sample))).toEqual(facts);
      }
      const ids: string[] = [];
      for await (const page of destination.listEventIds(0)) ids.push(...page.map(({ eventId }) => eventId));
      expect(ids.sort()).toEqual(events.map(({ eventId }) => eventId).sort());
    } finally {
      await begun.end();
      await destination.close();
      await single.drop();
    }
    const moved = openClickhouse(url.href);
    try {
      await migrateClickhouse(moved, testLog);
      const page = { limit: 100, before: null, range: null };
      expect((await createEventStore(moved).listEvents(scope(), page)).events).toHaveLength(EVENTS);
      const spread = await onEach<{ rows: number }>('SELECT count() AS rows FROM errata_moved_local.events');
      expect(Math.min(...spread.map(([row]) => row?.rows ?? 0))).toBeGreaterThan(0);
    } finally {
      await moved.close();
    }
  });
});

test(
  'a server that is down is named; nothing is read or written halfway, and it goes on when it is back',
  async () => {
    await fill();
    const [, host] = shards.hosts as [string, string];
    expect(await diagnoseClickhouse(database)).toMatchObject({
      problems: [],
      servers: shards.hosts.map((each, index) => ({ name: `shard ${index + 1}, ${each}` })),
    });
    await database.ping();
    await shards.kill(host);
    const store = createEventStore(database);
    const more = newEvents();
    const away = { code: 'unavailable' };
    await expect(store.insertEvents(more, 'cut off')).rejects.toMatchObject(away);
    await expect(store.listEvents(scope(), { limit: 10, before: null, range: null })).rejects.toMatchObject(
      away,
    );
    await expect(createDeletedProjectData(database).deleteRows(deletedProject(99))).rejects.toMatchObject(
      away,
    );
    await expect(database.ping()).rejects.toMatchObject({ ...away, message: expect.stringContaining(host) });
    const { problems, servers } = await diagnoseClickhouse(database);
    expect(problems).toEqual([
      { detail: expect.stringContaining(`shard 2, ${host} is not responding`), next: expect.any(String) },
    ]);
    expect(servers).toHaveLength(1);
    await shards.start(host);
    await database.ping();
    await store.insertEvents(more, 'cut off');
    expect((await countOnEach('events')).reduce((sum, count) => sum + count)).toBe(2 * EVENTS);
    expect(await apart()).toEqual([[], []]);
  },
  TIMEOUT_MS,
);
