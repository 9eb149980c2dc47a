import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { AttemptFile } from '#ingest/attempt-file.ts';
import { BodySampler } from '#ingest/body-sampler.ts';
import type { DigestDeps } from '#ingest/digest-batch.ts';
import { type DigestProgress, runDigestLoop } from '#ingest/digest-loop.ts';
import { encodeRecord, type IngestRecord } from '#ingest/spool-record.ts';
import { ThreadPool } from '#ingest/understanding/thread-pool.ts';
import { unavailable } from '#lib/errors.ts';
import { parseFaultPoints } from '#lib/fault-points.ts';
import { createLog } from '#lib/log.ts';
import { HOUR_MS } from '#lib/time.ts';
import { compileIngestRules } from '#pipeline/ingest-rules.ts';
import { DEFAULT_INGEST_SETTINGS } from '#protocol/ingest-settings.ts';
import { createEventStore } from '#storage/clickhouse/event-store.ts';
import { createTelemetryStore } from '#storage/clickhouse/telemetry-store.ts';
import { openDiskBlobStore } from '#storage/disk/blob-store.ts';
import { openRecentIds } from '#storage/lmdb/recent-ids.ts';
import { EVERYTHING } from '#storage/ports/search.ts';
import type { SpoolReader, SpoolWriter } from '#storage/ports/spool.ts';
import { createBatchGate } from '#storage/postgres/backup/digest-pause.ts';
import { createDigestStore } from '#storage/postgres/digest/digest-store.ts';
import { openSpoolReader } from '#storage/spool-files/open-spool-reader.ts';
import { openSpoolWriter } from '#storage/spool-files/open-spool-writer.ts';
import { createMigratedClickhouse } from '../contract/engines.ts';
import { openPostgresStores } from '../contract/postgres-stores.ts';
import { IS_FULL, testInFull } from '../harness/is-full.ts';

const log = createLog('digest-crash', 'silent');

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

type Parts = DigestDeps & { spool: SpoolReader };

/** Any of these tests may be run with threads. */
const THREADS = Number(process.env.ERRATA_TEST_DIGEST_THREADS ?? 0);

/** A spool in a new folder over a new project, and processes that digest it one after the other. */
async function openScene(faultPoints: string | null = null, threads = THREADS) {
  const folder = mkdtempSync(join(tmpdir(), 'errata-digest-'));
  const slug = `o-${randomBytes(4).toString('hex')}`;
  const organization = await relational.projects.createOrganization({ slug, name: slug });
  const { project, key } = await relational.projects.createProject({
    organizationId: organization.id,
    slug: 'web',
    name: 'web',
    platform: null,
    isInternal: false,
  });
  const writer: SpoolWriter = openSpoolWriter(folder, 1e9);
  const opened: { close(): Promise<void> }[] = [writer];
  const events = createEventStore(clickhouse);
  const telemetry = createTelemetryStore(clickhouse);
  const blobs = openDiskBlobStore(join(folder, 'blobs'));
  const rules = compileIngestRules(DEFAULT_INGEST_SETTINGS);
  const scope = { organizationId: organization.id, projectIds: [project.id] };
  const pool = threads === 0 ? null : openThreads(threads, folder, faultPoints);

  const send = (id: string, message: string, more: Partial<IngestRecord> = {}) =>
    writer.append(
      encodeRecord({
        organizationId: organization.id,
        projectId: project.id,
        keyId: key.id,
        receivedAtMs: Date.now(),
        sentAtMs: null,
        eventId: id,
        clientIp: null,
        userAgent: null,
        isReplay: false,
        items: [{ type: 'event', payload: Buffer.from(JSON.stringify({ message })) }],
        outcomes: [],
        ...more,
      }),
    );

  /** A digest process; `change` may break its parts. It ends by `stop`, or by dying in a broken part. */
  function startProcess(change: (parts: Parts) => void = () => {}) {
    const spool = openSpoolReader(folder);
    const recentIds = openRecentIds(folder);
    opened.push(spool, recentIds);
    const parts: Parts = {
      events: { ...events },
      telemetry: { ...telemetry },
      blobs,
      rules: { find: () => rules },
      bodies: new BodySampler(),
      lookUpGeo: () => null,
      readAhead: async () => ({ crash: null, head: null, videoParts: null }),
      digest: { ...createDigestStore(relational.database.db) },
      recentIds: { ...recentIds },
      spool: { ...spool },
      faults: parseFaultPoints(faultPoints),
      now: Date.now,
      ...(pool && { threads: pool }),
    };
    change(parts);
    const progress: DigestProgress = {
      position: 0,
      depth: 0,
      events: 0,
      batches: 0,
      quarantined: 0,
      lost: 0,
      stalled: null,
    };
    const stopping = new AbortController();
    const attempts = new AttemptFile(join(folder, 'attempt.json'));
    const gate = createBatchGate(relational.database);
    const loop = runDigestLoop({ ...parts, attempts, gate, log }, progress, stopping.signal).catch(() => {});
    return {
      progress,
      async stop() {
        stopping.abort();
        await loop;
        await gate.close();
      },
    };
  }

  const untilDrained = () => {
    const reader = openSpoolReader(folder);
    opened.push(reader);
    return expect.poll(() => reader.read(0, { records: 1, bytes: 1 }).length, { timeout: 45_000 }).toBe(0);
  };

  async function read() {
    const stored = await events.listEvents(scope, { limit: 1_000, before: null, range: null });
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
    return {
      eventIds: stored.events.map(({ eventId }) => eventId).sort(),
      timesSeen: page.issues.reduce((sum, issue) => sum + issue.timesSeen, 0),
      issues: page.issues.length,
      outcomes: Object.fromEntries(
        series.map(({ outcome, reason, total }) => [`${outcome} ${reason}`.trim(), total]),
      ),
      categories: series.map(({ category, outcome, total }) => `${category} ${outcome} ${total}`).sort(),
    };
  }

  async function close() {
    await pool?.stop();
    await Promise.all(opened.map((one) => one.close()));
    rmSync(folder, { recursive: true, force: true });
  }
  const sendBytes = (bytes: Uint8Array) => writer.append([bytes]);
  return { send, sendBytes, startProcess, untilDrained, read, close, organization };
}

const openThreads = (threads: number, dataDir: string, faultPoints: string | null) =>
  new ThreadPool({
    threads,
    module: new URL('../../src/main/digest-thread.ts', import.meta.url),
    workerData: { dataDir, blobs: null, s3Credentials: null, faultPoints },
    answers: {
      findProject: () => ({ settings: null, grouping: null, discardedHashes: [] }),
      findSymbols: async () => {
        throw new Error('Nothing here needs a file');
      },
    },
    log,
  });

const makeId = () => randomBytes(16).toString('hex');

/** The process dies here, and nothing after this happens any more. */
type Die = () => Promise<never>;

const DEATHS: Record<string, (parts: Parts, die: Die) => void> = {
  'before the ids are remembered': (parts, die) => {
    parts.recentIds.remember = die;
  },
  'after the ids are remembered': (parts, die) => {
    const { remember } = parts.recentIds;
    parts.recentIds.remember = (...input) => remember(...input).then(die);
  },
  'after the events are inserted': (parts, die) => {
    const { insertEvents } = parts.events;
    parts.events.insertEvents = (...input) => insertEvents(...input).then(die);
  },
  'after half of the events are inserted': (parts, die) => {
    const { insertEvents } = parts.events;
    parts.events.insertEvents = (list, token) =>
      insertEvents(list.slice(0, Math.ceil(list.length / 2)), `${token}:half`).then(die);
  },
  'after the transaction': (parts, die) => {
    const { assign } = parts.digest;
    parts.digest.assign = (...input) => assign(...input).then(die);
  },
  'before the spool forgets': (parts, die) => {
    const { acknowledge } = parts.spool;
    // The first call is the one at the start of the process.
    let calls = 0;
    parts.spool.acknowledge = (upTo) => (calls++ === 0 ? acknowledge(upTo) : die());
  },
};

/** The short run has those at which one store is ahead of the others. */
const MOMENTS = IS_FULL
  ? Object.keys(DEATHS)
  : ['after the ids are remembered', 'after half of the events are inserted', 'after the transaction'];

describe('a digest process that dies', () => {
  test.each(MOMENTS)('%s loses nothing and counts nothing twice', async (moment) => {
    const scene = await openScene();
    const ids = Array.from({ length: 6 }, makeId);
    for (const id of ids.slice(0, 4)) await scene.send(id, 'first wave');

    await new Promise<void>((died) => {
      const die = () => {
        died();
        return new Promise<never>(() => {});
      };
      scene.startProcess((parts) => DEATHS[moment]?.(parts, die));
    });
    // More arrives before the next process starts: it cuts its batches differently.
    for (const id of ids.slice(4)) await scene.send(id, 'second wave');
    const next = scene.startProcess();
    await scene.untilDrained();
    await next.stop();

    expect(await scene.read()).toMatchObject({
      eventIds: [...ids].sort(),
      timesSeen: 6,
      issues: 2,
      outcomes: { accepted: 6 },
    });
    await scene.close();
  });
});

test('what cannot be read any more of a range in which the process died is passed over', async () => {
  const scene = await openScene();
  for (let count = 0; count < 3; count++) await scene.send(makeId(), 'gone');
  await new Promise<void>((died) => {
    scene.startProcess((parts) => {
      parts.recentIds.remember = () => {
        died();
        return new Promise<never>(() => {});
      };
    });
  });
  const id = makeId();
  await scene.send(id, 'behind');
  const next = scene.startProcess(({ spool }) => {
    // As it does over damaged frames.
    const { read } = spool;
    spool.read = (after, limits) => read(Math.max(after, 3), limits);
  });
  await scene.untilDrained();
  await next.stop();
  expect(await scene.read()).toMatchObject({ eventIds: [id], timesSeen: 1, outcomes: { accepted: 1 } });
  await scene.close();
});

test('the same event id sent twice is stored and counted once, and leaves an outcome', async () => {
  const scene = await openScene();
  const id = makeId();
  await scene.send(id, 'hello');
  await scene.send(id, 'hello');
  const digest = scene.startProcess();
  await scene.untilDrained();
  await scene.send(id, 'hello again');
  await scene.untilDrained();
  await digest.stop();
  expect(await scene.read()).toMatchObject({
    eventIds: [id],
    timesSeen: 1,
    issues: 1,
    outcomes: { accepted: 1, 'invalid duplicate': 2 },
  });
  await scene.close();
});

test('a store that is away stops nothing for good: digest waits, says so, and goes on', async () => {
  const scene = await openScene();
  const id = makeId();
  await scene.send(id, 'hello');
  let isAway = true;
  const digest = scene.startProcess((parts) => {
    const { insertEvents } = parts.events;
    parts.events.insertEvents = (...input) =>
      isAway ? Promise.reject(unavailable('ClickHouse is away')) : insertEvents(...input);
  });
  await expect.poll(() => digest.progress.stalled, { timeout: 30_000 }).toBe('ClickHouse is away');
  isAway = false;
  await scene.untilDrained();
  await digest.stop();
  expect(await scene.read()).toMatchObject({ eventIds: [id], timesSeen: 1 });
  await scene.close();
});

test('a record that fails three times is set aside whole, with an outcome, and stops nobody', async () => {
  const scene = await openScene('digest-item=poison');
  const ids = Array.from({ length: 5 }, makeId);
  for (const [index, id] of ids.entries()) await scene.send(id, index === 2 ? 'poison' : 'fine');
  const digest = scene.startProcess();
  await scene.untilDrained();
  await digest.stop();
  const [, , poisoned] = ids;
  expect(await scene.read()).toMatchObject({
    eventIds: ids.filter((id) => id !== poisoned).sort(),
    timesSeen: 4,
    issues: 1,
    outcomes: { accepted: 4, 'invalid quarantined': 1 },
  });
  expect(await relational.quarantine.list(scene.organization.id, 10)).toMatchObject([
    { eventId: poisoned, attempts: 3, reason: 'digest_failed', replayedAt: null },
  ]);
  await scene.close();
});

testInFull(
  'a record that kills its thread is set aside, the thread is replaced, and everything behind goes on',
  async () => {
    const scene = await openScene('digest-item:end=poison', 2);
    const ids = Array.from({ length: 40 }, makeId);
    for (const [index, id] of ids.entries()) await scene.send(id, index === 17 ? 'poison' : 'fine');
    const digest = scene.startProcess();
    await scene.untilDrained();
    await digest.stop();
    const poisoned = ids[17];
    expect(await scene.read()).toMatchObject({
      eventIds: ids.filter((id) => id !== poisoned).sort(),
      timesSeen: 39,
      issues: 1,
      outcomes: { accepted: 39, 'invalid quarantined': 1 },
    });
    expect(await relational.quarantine.list(scene.organization.id, 10)).toMatchObject([
      { eventId: poisoned, attempts: 3, reason: 'digest_crashed', replayedAt: null },
    ]);
    await scene.close();
  },
);

testInFull('a record that is none of ours is set aside for the operator, and stops nobody', async () => {
  const scene = await openScene();
  const ids = [makeId(), makeId()];
  await scene.send(ids[0] ?? '', 'before');
  const bytes = randomBytes(300);
  await scene.sendBytes(bytes);
  await scene.send(ids[1] ?? '', 'behind');
  const digest = scene.startProcess();
  await scene.untilDrained();
  await digest.stop();
  expect(await scene.read()).toMatchObject({ eventIds: [...ids].sort(), outcomes: { accepted: 2 } });
  const [aside] = await relational.quarantine.list(null, 1);
  expect(aside).toMatchObject({ category: 'unreadable', reason: 'digest_failed', attempts: 3 });
  expect(await relational.quarantine.find(aside?.id ?? 0)).toMatchObject({ record: Buffer.from(bytes) });
  expect(await relational.quarantine.list(scene.organization.id, 1)).toEqual([]);
  await scene.close();
});

test('each item of a record that is set aside has one outcome in its own category, beside those of the edge', async () => {
  const scene = await openScene('digest-item=poison');
  const log = { itemCount: 3 } as NonNullable<IngestRecord['items'][number]['facts']>;
  await scene.send(makeId(), '', {
    items: [
      { type: 'transaction', payload: Buffer.from('{"transaction":"poison"}') },
      { type: 'log', payload: Buffer.from('{"items":[]}'), facts: log },
    ],
    outcomes: [{ category: 'attachment', outcome: 'rate_limited', reason: 'key_quota', quantity: 2 }],
  });
  const digest = scene.startProcess();
  await scene.untilDrained();
  await digest.stop();
  expect((await scene.read()).categories).toEqual([
    'attachment rate_limited 2',
    'log_item invalid 3',
    'transaction invalid 1',
  ]);
  await scene.close();
});

testInFull('a process that is stopped again and again while a store is away accuses no record', async () => {
  // What reads ahead is replaced in this thread; others have their own.
  const scene = await openScene(null, 0);
  const id = makeId();
  await scene.send(id, 'hello');
  for (let stop = 0; stop < 5; stop++) {
    const digest = scene.startProcess((parts) => {
      parts.readAhead = () => Promise.reject(unavailable('The blob store is away'));
    });
    await expect.poll(() => digest.progress.stalled, { timeout: 5_000 }).toBe('The blob store is away');
    await digest.stop();
  }
  const digest = scene.startProcess();
  await scene.untilDrained();
  await digest.stop();
  expect(await scene.read()).toMatchObject({ eventIds: [id], outcomes: { accepted: 1 } });
  expect(await relational.quarantine.list(scene.organization.id, 10)).toEqual([]);
  await scene.close();
});

if (IS_FULL)
  describe('batches that are understood while the one before is stored', () => {
    /** About 280 of them make a batch. */
    const LONG = 'x'.repeat(30_000);
    const COUNT = 840;

    async function openLongScene(
      texts: ReadonlyMap<number, string> = new Map(),
      faultPoints: string | null = null,
    ) {
      // It is watched in this thread when ids are asked for.
      const scene = await openScene(faultPoints, 0);
      const ids = Array.from({ length: COUNT }, makeId);
      await Promise.all(ids.map((id, index) => scene.send(id, `${texts.get(index) ?? 'fine'} ${LONG}`)));
      return { scene, ids };
    }

    test('count an id that both bring once, and set aside what fails in one of them', async () => {
      const { scene, ids } = await openLongScene(new Map([[400, 'poison']]), 'digest-item=poison');
      await scene.send(ids[10] ?? '', 'the same id again');
      const starts: string[] = [];
      const digest = scene.startProcess((parts) => {
        const { find } = parts.recentIds;
        const { insertEvents } = parts.events;
        parts.events.insertEvents = async (...input) => {
          starts.push('insert');
          await insertEvents(...input);
          starts.push('inserted');
        };
        parts.recentIds.find = (...input) => {
          if (starts.at(-1) === 'insert') starts.push('understood meanwhile');
          return find(...input);
        };
      });
      await scene.untilDrained();
      await digest.stop();
      expect(starts).toContain('understood meanwhile');
      const { eventIds, outcomes, timesSeen } = await scene.read();
      expect(eventIds).toEqual(ids.filter((_, index) => index !== 400).sort());
      expect(timesSeen).toBe(COUNT - 1);
      expect(outcomes).toEqual({ accepted: COUNT - 1, 'invalid duplicate': 1, 'invalid quarantined': 1 });
      await scene.close();
    });

    const moments = Object.keys(DEATHS);
    test.each(moments)('lose nothing when the process dies %s', async (moment) => {
      const { scene, ids } = await openLongScene();
      await new Promise<void>((died) => {
        const die = () => {
          died();
          return new Promise<never>(() => {});
        };
        scene.startProcess((parts) => DEATHS[moment]?.(parts, die));
      });
      const next = scene.startProcess();
      await scene.untilDrained();
      await next.stop();
      const { eventIds, outcomes, timesSeen } = await scene.read();
      expect(eventIds).toEqual([...ids].sort());
      expect(timesSeen).toBe(COUNT);
      expect(outcomes).toEqual({ accepted: COUNT });
      await scene.close();
    });
  });
