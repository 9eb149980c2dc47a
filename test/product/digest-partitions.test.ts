import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { AttemptFile } from '#ingest/attempt-file.ts';
import { BodySampler } from '#ingest/body-sampler.ts';
import {
  type PartitionDeps,
  type PartitionsProgress,
  runPartitions,
} from '#ingest/partitions/run-partitions.ts';
import { encodeRecord } from '#ingest/spool-record.ts';
import { parseFaultPoints } from '#lib/fault-points.ts';
import { createLog } from '#lib/log.ts';
import { HOUR_MS } from '#lib/time.ts';
import { compileIngestRules } from '#pipeline/ingest-rules.ts';
import { createSpoolPartitionStore } from '#product/spool/spool-partition-store.ts';
import { DEFAULT_INGEST_SETTINGS } from '#protocol/ingest-settings.ts';
import { createArrivedIds } from '#storage/clickhouse/arrived-ids.ts';
import { createEventStore } from '#storage/clickhouse/event-store.ts';
import { createTelemetryStore } from '#storage/clickhouse/telemetry-store.ts';
import { openDiskBlobStore } from '#storage/disk/blob-store.ts';
import { partitionOf } from '#storage/kafka/open-kafka-writer.ts';
import { openRecentIds } from '#storage/lmdb/recent-ids.ts';
import { EVERYTHING } from '#storage/ports/search.ts';
import type { PartitionReader, SpoolRecord } from '#storage/ports/spool.ts';
import { createDigestStore } from '#storage/postgres/digest/digest-store.ts';
import { createMigratedClickhouse } from '../contract/engines.ts';
import { openPostgresStores } from '../contract/postgres-stores.ts';
import { testInFull } from '../harness/is-full.ts';

const log = createLog('digest-partitions', 'silent');
const PARTITIONS = 3;

let relational: Awaited<ReturnType<typeof openPostgresStores>>;
let clickhouse: ReturnType<typeof createMigratedClickhouse>;
beforeAll(async () => {
  relational = await openPostgresStores({ name: 'embedded PostgreSQL', url: inject('embeddedPostgresUrl') });
  clickhouse = createMigratedClickhouse({
    name: 'embedded ClickHouse',
    url: inject('embeddedClickhouseUrl'),
  });
});
afterAll(async () => {
  await Promise.all([relational?.database.drop(), clickhouse?.drop()]);
});

/** A log in memory in place of the topic, and workers over real stores. test/faults/full has the real topic. */
async function openScene() {
  const slug = `o-${randomBytes(4).toString('hex')}`;
  const organization = await relational.projects.createOrganization({ slug, name: slug });
  const { project, key } = await relational.projects.createProject({
    organizationId: organization.id,
    slug: 'web',
    name: 'web',
    platform: null,
    isInternal: false,
  });
  const topicId = `topic-${slug}`;
  const logs = Array.from({ length: PARTITIONS }, (): SpoolRecord[] => []);
  /** By partition: position up to which the log has lost its records. */
  const lost = new Map<number, number>();
  /** By partition: records that took the place of others. */
  const overwritten = new Map<number, number>();
  const folders: string[] = [];
  const opened: { close(): Promise<void> }[] = [];
  const running: Promise<void>[] = [];

  const send = (
    id: string,
    receivedAtMs = Date.now(),
    payload = JSON.stringify({ message: 'one issue' }),
  ) => {
    const partition = partitionOf(project.id, id, PARTITIONS);
    const records = logs[partition] as SpoolRecord[];
    const pieces = encodeRecord({
      organizationId: organization.id,
      projectId: project.id,
      keyId: key.id,
      receivedAtMs,
      sentAtMs: null,
      eventId: id,
      clientIp: null,
      userAgent: null,
      isReplay: false,
      items: [{ type: 'event', payload: Buffer.from(payload) }],
      outcomes: [],
    });
    records.push({ position: records.length + 1, bytes: Buffer.concat(pieces) });
    return partition;
  };

  const openReader = (partition: number): PartitionReader => {
    const records = logs[partition] as SpoolRecord[];
    let acknowledged = 0;
    return {
      spoolId: `${topicId}:${partition}`,
      read: (after, limits) =>
        after < (lost.get(partition) ?? 0) ? [] : records.slice(after, after + limits.records),
      async acknowledge(upTo) {
        acknowledged = Math.max(acknowledged, upTo);
      },
      depth: () => records.length - acknowledged,
      lostUpTo: () => ((lost.get(partition) ?? 0) > acknowledged ? (lost.get(partition) ?? null) : null),
      overwritten: () => overwritten.get(partition) ?? 0,
      oldest: () => records[acknowledged]?.bytes ?? null,
      state: () => ({ endPosition: records.length, knownAt: Date.now(), trouble: null }),
      async close() {},
    };
  };

  function startWorker(name: string, change: (deps: PartitionDeps) => void = () => {}) {
    const folder = mkdtempSync(join(tmpdir(), `errata-worker-${name}-`));
    folders.push(folder);
    const recentIds = openRecentIds(folder);
    opened.push(recentIds);
    const deps: PartitionDeps = {
      events: { ...createEventStore(clickhouse) },
      telemetry: createTelemetryStore(clickhouse),
      blobs: openDiskBlobStore(join(folder, 'blobs')),
      rules: { find: () => compileIngestRules(DEFAULT_INGEST_SETTINGS) },
      bodies: new BodySampler(),
      lookUpGeo: () => null,
      readAhead: async () => ({ crash: null, head: null, videoParts: null }),
      digest: { ...createDigestStore(relational.database.db) },
      recentIds: { ...recentIds },
      faults: parseFaultPoints(null),
      gate: { enter: async () => {}, leave: async () => {}, close: async () => {} },
      now: Date.now,
      source: { topic: { id: topicId, partitions: PARTITIONS }, open: openReader },
      leases: createSpoolPartitionStore(relational.database.db),
      arrivedIds: createArrivedIds(clickhouse),
      worker: { topicId, workerId: name, name },
      openAttempts: (partition) => new AttemptFile(join(folder, `attempt-${partition}.json`)),
      log,
    };
    change(deps);
    const progress: PartitionsProgress = {
      held: new Map(),
      former: { events: 0, quarantined: 0, lost: 0 },
      stalled: null,
    };
    const stopping = new AbortController();
    const loop = runPartitions(deps, progress, stopping.signal);
    running.push(loop.catch(() => {}));
    return {
      progress,
      async stop() {
        stopping.abort();
        await loop;
      },
    };
  }

  const expireLeases = () =>
    sql`UPDATE spool_partitions SET lease_until = now() - interval '1 second' WHERE topic_id = ${topicId}`
      .execute(relational.database.db)
      .then(() => sql`DELETE FROM spool_workers WHERE topic_id = ${topicId}`.execute(relational.database.db));

  async function read() {
    const page = await relational.issues.search(organization.id, [project.id], EVERYTHING, {
      sort: 'date',
      limit: 100,
    });
    const now = Date.now();
    const series = await relational.outcomes.series(
      organization.id,
      [project.id],
      { fromMs: Math.floor(now / HOUR_MS) * HOUR_MS - HOUR_MS, toMs: now + HOUR_MS },
      HOUR_MS,
    );
    const outcomes = new Map(
      series.map(({ outcome, reason, total }) => [`${outcome} ${reason}`.trim(), total]),
    );
    return {
      seen: page.issues.reduce((sum, issue) => sum + issue.timesSeen, 0),
      accepted: outcomes.get('accepted') ?? 0,
      duplicates: [...outcomes].filter(([name]) => /duplicate/.test(name)).reduce((sum, [, n]) => sum + n, 0),
      quarantined: outcomes.get('invalid quarantined') ?? 0,
    };
  }

  async function close() {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    await Promise.all(opened.map((each) => each.close()));
  }
  return { send, startWorker, expireLeases, read, close, lost, overwritten, logs };
}

const makeId = () => randomBytes(16).toString('hex');
const settled = { timeout: 45_000, interval: 200 };

testInFull(
  'workers share the partitions, one that comes gets its share, and one that leaves gives back',
  async () => {
    const scene = await openScene();
    const ids = Array.from({ length: 12 }, makeId);
    for (const id of ids) scene.send(id);
    const one = scene.startWorker('one');
    await expect.poll(() => one.progress.held.size, settled).toBe(3);
    const two = scene.startWorker('two');
    await expect.poll(() => [one.progress.held.size, two.progress.held.size], settled).toEqual([2, 1]);
    await expect.poll(scene.read, settled).toMatchObject({ seen: 12, accepted: 12 });
    await one.stop();
    await expect.poll(() => two.progress.held.size, settled).toBe(3);
    // What came before, to another worker, comes again; and something new.
    for (const id of ids) scene.send(id, Date.now() + 5);
    scene.send(makeId());
    await expect
      .poll(scene.read, settled)
      .toEqual({ seen: 13, accepted: 13, duplicates: 12, quarantined: 0 });
    await two.stop();
    await scene.close();
  },
);

test('what a worker had stored and not counted when it fell silent is counted once, by another', async () => {
  const scene = await openScene();
  for (let count = 0; count < 9; count++) scene.send(makeId());
  let silent = 0;
  const never = new Promise<never>(() => {});
  const one = scene.startWorker('one', (deps) => {
    // Events are inserted; then the process stands still.
    deps.digest.assign = () => {
      silent += 1;
      return never;
    };
    deps.leases = { ...deps.leases, renew: () => never };
    const { renew } = createSpoolPartitionStore(relational.database.db);
    let renewals = 0;
    deps.leases.renew = (...input) => (renewals++ === 0 ? renew(...input) : never);
  });
  await expect.poll(() => silent, settled).toBe(one.progress.held.size);
  await scene.expireLeases();
  const two = scene.startWorker('two');
  await expect.poll(scene.read, settled).toEqual({ seen: 9, accepted: 9, duplicates: 0, quarantined: 0 });
  await two.stop();
  await scene.close();
});

testInFull('a worker that wakes up after others took over counts nothing, and lets go', async () => {
  const scene = await openScene();
  for (let count = 0; count < 9; count++) scene.send(makeId());
  const gate = Promise.withResolvers<void>();
  const one = scene.startWorker('one', (deps) => {
    const { assign } = deps.digest;
    deps.digest.assign = async (...input) => {
      await gate.promise;
      return assign(...input);
    };
    const { renew } = deps.leases;
    let renewals = 0;
    deps.leases = {
      ...deps.leases,
      renew: async (...input) => {
        renewals += 1;
        if (renewals > 1) await gate.promise;
        return renew(...input);
      },
    };
  });
  await expect.poll(() => one.progress.held.size, settled).toBeGreaterThan(0);
  await scene.expireLeases();
  const two = scene.startWorker('two');
  await expect.poll(scene.read, settled).toMatchObject({ seen: 9 });
  gate.resolve();
  for (let count = 0; count < 6; count++) scene.send(makeId());
  await expect.poll(scene.read, settled).toEqual({ seen: 15, accepted: 15, duplicates: 0, quarantined: 0 });
  await expect.poll(() => one.progress.held.size + two.progress.held.size, settled).toBe(3);
  await Promise.all([one.stop(), two.stop()]);
  await scene.close();
});

test('a record that cannot be digested is quarantined, and what is behind it goes on', async () => {
  const scene = await openScene();
  const worker = scene.startWorker('one', (deps) => {
    const { readAhead } = deps;
    deps.readAhead = async (item, ...rest) => {
      if (Buffer.from(item.payload).includes('poison')) throw new Error('poison');
      return readAhead(item, ...rest);
    };
  });
  const partition = scene.send(makeId(), Date.now(), JSON.stringify({ message: 'poison' }));
  let behind = 0;
  while (behind < 2) if (scene.send(makeId()) === partition) behind += 1;
  const good = scene.logs.reduce((sum, records) => sum + records.length, 0) - 1;
  await expect.poll(scene.read, settled).toMatchObject({ seen: good, accepted: good, quarantined: 1 });
  await worker.stop();
  await scene.close();
});

/** On a busy machine, a partition may come too late for the others. */
const ROUNDS_MAX = 20;

test('what waits in several partitions is inserted and counted together', async () => {
  const scene = await openScene();
  const inserts: number[] = [];
  const assigns: number[] = [];
  const worker = scene.startWorker('one', (deps) => {
    const { insertEvents } = deps.events;
    deps.events.insertEvents = (events, token) => {
      inserts.push(events.length);
      return insertEvents(events, token);
    };
    const { assign } = deps.digest;
    deps.digest.assign = (range, ...rest) => {
      assigns.push('spoolId' in range ? 1 : range.length);
      return assign(range, ...rest);
    };
  });
  let sent = 0;
  for (let round = 0; round < ROUNDS_MAX && !assigns.includes(PARTITIONS); round++) {
    for (let count = 0; count < 30; count++) scene.send(makeId());
    sent += 30;
    await expect
      .poll(scene.read, settled)
      .toEqual({ seen: sent, accepted: sent, duplicates: 0, quarantined: 0 });
  }
  expect(assigns).toContain(PARTITIONS);
  expect(inserts).toHaveLength(assigns.length);
  await worker.stop();
  await scene.close();
});

test('where one partition cannot be stored, the others are, each event once', async () => {
  const scene = await openScene();
  for (let count = 0; count < 30; count++) scene.send(makeId());
  const partition = scene.send(makeId(), Date.now(), JSON.stringify({ message: 'refused by the store' }));
  const sent = 31;
  const inserted = new Map<string, number>();
  const worker = scene.startWorker('one', (deps) => {
    const { insertEvents } = deps.events;
    deps.events.insertEvents = async (events, token) => {
      for (const { eventId } of events) inserted.set(eventId, (inserted.get(eventId) ?? 0) + 1);
      await insertEvents(events, token);
    };
    const { assign } = deps.digest;
    deps.digest.assign = async (range, events, ...rest) => {
      if (events.some(({ title }) => title.includes('refused'))) throw new Error('A defect of this event');
      return assign(range, events, ...rest);
    };
  });
  await expect
    .poll(scene.read, settled)
    .toEqual({ seen: sent - 1, accepted: sent - 1, duplicates: 0, quarantined: 1 });
  expect(scene.logs[partition]?.length).toBeGreaterThan(0);
  expect(Math.max(...inserted.values())).toBe(1);
  await worker.stop();
  await scene.close();
});

test('records that took the place of others are counted as lost', async () => {
  const scene = await openScene();
  const partition = scene.send(makeId());
  const worker = scene.startWorker('one');
  await expect.poll(scene.read, settled).toMatchObject({ seen: 1 });
  scene.overwritten.set(partition, 7);
  const { list } = createSpoolPartitionStore(relational.database.db);
  await expect.poll(async () => (await list())[partition]?.lostRecords, settled).toBe(7);
  await worker.stop();
  await scene.close();
});

test('records that the log has lost are counted as lost, and reading goes on behind them', async () => {
  const scene = await openScene();
  let partition = -1;
  for (let count = 0; count < 30; count++) partition = scene.send(makeId());
  const records = scene.logs[partition]?.length ?? 0;
  scene.lost.set(partition, records - 1);
  const worker = scene.startWorker('one');
  await expect.poll(scene.read, settled).toMatchObject({ seen: 30 - (records - 1) });
  const { list } = createSpoolPartitionStore(relational.database.db);
  await expect.poll(async () => (await list())[partition]?.lostRecords, settled).toBe(records - 1);
  await worker.stop();
  await scene.close();
});
