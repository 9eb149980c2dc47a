import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { BodySampler } from '#ingest/body-sampler.ts';
import { DetectionBudget } from '#ingest/detection-budget.ts';
import { type PrepareDeps, prepareBatch } from '#ingest/digest-batch.ts';
import { createReadAhead } from '#ingest/read-ahead.ts';
import { CHUNKS_PER_THREAD_MAX } from '#ingest/understanding/cut-chunks.ts';
import type { PreparedBatch } from '#ingest/understanding/prepared-batch.ts';
import { ThreadPool, type ThreadPoolOptions } from '#ingest/understanding/thread-pool.ts';
import { RecordFailed } from '#ingest/understanding/understand-apart.ts';
import { unavailable } from '#lib/errors.ts';
import { parseFaultPoints } from '#lib/fault-points.ts';
import { createLog } from '#lib/log.ts';
import { child, STARTED, transaction } from '#pipeline/fixtures/trace-fixture.ts';
import { compileIngestRules } from '#pipeline/ingest-rules.ts';
import { DEFAULT_INGEST_SETTINGS } from '#protocol/ingest-settings.ts';
import { EVENT_COLUMNS, writeEventRow } from '#storage/clickhouse/event-row.ts';
import { RowBinaryWriter } from '#storage/clickhouse/row-binary.ts';
import { readSearchColumns } from '#storage/clickhouse/search/search-columns.ts';
import { addWrittenRow } from '#storage/clickhouse/written-events.ts';
import { openDiskBlobStore } from '#storage/disk/blob-store.ts';
import type { PreparedEvent } from '#storage/ports/events.ts';
import type { SpoolRecord } from '#storage/ports/spool.ts';
import { newEventId } from './harness/envelope.ts';
import { IS_FULL } from './harness/is-full.ts';
import { makeJavascriptError } from './harness/sample-event.ts';
import { makeSampleEnvelopes } from './harness/sample-items.ts';
import { seededRandom } from './harness/seeded-random.ts';
import { makeRecord } from './harness/spool-records.ts';
import { until } from './harness/until.ts';

const TIMEOUT_MS = 120_000;
const folders: string[] = [];
const pools: ThreadPool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.stop()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const rules = compileIngestRules(DEFAULT_INGEST_SETTINGS);
const log = createLog('threads', 'silent');

function openScene(faultPoints: string | null = null, options: Partial<ThreadPoolOptions> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'errata-threads-'));
  folders.push(dataDir);
  const pool = new ThreadPool({
    threads: 2,
    module: new URL('../src/main/digest-thread.ts', import.meta.url),
    workerData: { dataDir, blobs: null, s3Credentials: null, faultPoints },
    answers: {
      findProject: () => ({ settings: DEFAULT_INGEST_SETTINGS, grouping: null, discardedHashes: [] }),
      findSymbols: async (_, wishes) =>
        wishes.map((wish) =>
          wish.kind === 'script'
            ? { kind: 'script', script: { kind: 'absent', reason: 'no_debug_id_and_no_release' } }
            : { kind: 'source', text: null },
        ),
    },
    log,
    ...options,
  });
  pools.push(pool);
  const blobs = openDiskBlobStore(join(dataDir, 'blobs'));
  const known = new Map<string, number>();
  const prepare = (records: readonly SpoolRecord[], threads: ThreadPool | null, detections = 1_000) => {
    const deps: PrepareDeps = {
      recentIds: { find: (_, eventId) => known.get(eventId) ?? null },
      faults: parseFaultPoints(null),
      rules: { find: () => rules },
      bodies: new BodySampler(),
      detection: new DetectionBudget(detections),
      lookUpGeo: () => null,
      readAhead: createReadAhead(blobs, { find: () => rules }),
      symbols: {
        run: async (_, digest) =>
          digest({
            findScript: () => ({ kind: 'absent', reason: 'no_debug_id_and_no_release' }),
            findMapping: (debugId) => ({ reason: 'mapping_not_uploaded', debugId }),
            findSymbols: () => null,
          }),
      },
      ...(threads && { threads }),
    };
    return prepareBatch(deps, 'spool', 0, records);
  };
  return { pool, known, prepare };
}

/** Envelopes of every type in any order, many of them more than once, and where each event was seen before. */
function makeTraffic(seed: number): { records: SpoolRecord[]; known: [string, number][] } {
  const random = seededRandom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const envelopes = Array.from({ length: 4 }, (_, round) => makeSampleEnvelopes(`traffic-${round}`)).flat();
  const first = new Map<string, number>();
  const records = Array.from({ length: 150 }, (_, index) => {
    const { items, eventId } = pick(envelopes);
    if (eventId !== null && !first.has(eventId)) first.set(eventId, index + 1);
    return makeRecord(index + 1, items, {
      eventId,
      isReplay: random() < 0.1,
      projectId: random() < 0.5 ? 2 : 5,
    });
  });
  // Some came in an earlier batch, some records are read again after a crash.
  const known = [...first].flatMap(([eventId, position]): [string, number][] =>
    random() < 0.4 ? [[eventId, random() < 0.5 ? position : position + 1_000]] : [],
  );
  return { records, known };
}

/** Everything of a batch that reaches a store. */
const stored = ({ events, replayed, blobs, ...rest }: PreparedBatch) => ({
  ...rest,
  blobs: blobs.map(({ key, bytes }) => [key, Buffer.from(bytes).toString('latin1')]),
  events: events.map(({ written: _, ...event }, index) => ({ ...event, payload: events[index]!.payload })),
  replayed: replayed.map(({ eventId }) => eventId),
});

function rowOf(event: PreparedEvent): Buffer {
  const row = new RowBinaryWriter(1_024);
  if (event.written) addWrittenRow(row, event, event.written);
  else writeEventRow(row, event, readSearchColumns(event));
  return row.bytes();
}

describe('records that threads understand', () => {
  test.each(IS_FULL ? [1, 2, 3] : [1])(
    'come out as if one after the other had been understood, duplicates included (%i)',
    async (seed) => {
      const { pool, known, prepare } = openScene();
      const { records, known: seen } = makeTraffic(seed);
      for (const [eventId, position] of seen) known.set(eventId, position);
      const expected = await prepare(records, null);
      const apart = await prepare(records, pool);
      expect(expected.outcomes.some(({ reason }) => reason === 'duplicate')).toBe(true);
      expect(expected.replayed.length).toBeGreaterThan(0);
      expect(stored(apart)).toEqual(stored(expected));
      expect(apart.events.map((event) => event.written !== undefined)).not.toContain(false);
      expect(apart.events.map(rowOf)).toEqual(expected.events.map(rowOf));
    },
    TIMEOUT_MS,
  );

  test(
    'spend the budget of detection in the order of the spool',
    async () => {
      const { pool, prepare } = openScene();
      const records = Array.from({ length: 12 }, (_, index) => {
        const slow = child(1, { description: `SELECT * FROM t_${index}`, timestamp: STARTED + 1 });
        const sent = transaction({ event_id: newEventId(), spans: [slow] });
        return makeRecord(index + 1, [{ type: 'transaction', payload: JSON.stringify(sent) }]);
      });
      const expected = await prepare(records, null, 3);
      const apart = await prepare(records, pool, 3);
      expect(expected.events).toHaveLength(3);
      expect(stored(apart)).toEqual(stored(expected));
    },
    TIMEOUT_MS,
  );

  test(
    'lose their body, and change their hash, in the row that was written before',
    async () => {
      const { pool, prepare } = openScene();
      const event = makeJavascriptError({ issue: 1, bytes: 5_000 });
      const records = [makeRecord(1, [{ type: 'event', payload: JSON.stringify(event) }])];
      const [here] = (await prepare(records, null)).events;
      const [apart] = (await prepare(records, pool)).events;
      for (const each of [here!, apart!]) {
        each.hasBody = false;
        each.groupingHash = 'f'.repeat(32);
      }
      expect(EVENT_COLUMNS).toContain('payload');
      expect(rowOf(apart!)).toEqual(rowOf(here!));
    },
    TIMEOUT_MS,
  );
});

describe('a thread', () => {
  const errors = (poisoned: number | null, count = 100) =>
    Array.from({ length: count }, (_, index) => {
      const event = makeJavascriptError({ issue: index % 5, bytes: 2_000 });
      const message = index + 1 === poisoned ? 'poisonous' : 'harmless';
      return makeRecord(index + 1, [{ type: 'event', payload: JSON.stringify({ ...event, message }) }]);
    });

  test.each(['end', 'hang'])(
    'that dies of a record (%s) is replaced, and the record is named',
    async (how) => {
      const { pool, prepare } = openScene(`digest-item:${how}=poisonous`, { silenceMsMax: 2_000 });
      const failure = await prepare(errors(42), pool).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(RecordFailed);
      expect(failure).toMatchObject({ position: 42, isFatal: true });
      expect((await prepare(errors(null), pool)).events).toHaveLength(100);
    },
    TIMEOUT_MS,
  );

  test(
    'that throws goes on with what comes next, and the record is named',
    async () => {
      const { pool, prepare } = openScene('digest-item=poisonous');
      await expect(prepare(errors(7), pool)).rejects.toMatchObject({ position: 7, isFatal: false });
      expect((await prepare(errors(null), pool)).events).toHaveLength(100);
    },
    TIMEOUT_MS,
  );

  test(
    'accuses no record while a store is away',
    async () => {
      const findProject = () => {
        throw unavailable('PostgreSQL is away');
      };
      const { pool, prepare } = openScene(null, {
        answers: { findProject, findSymbols: async () => [] },
      });
      await expect(prepare(errors(null), pool)).rejects.toMatchObject({ code: 'unavailable' });
    },
    TIMEOUT_MS,
  );

  test(
    'that cannot be started makes digest wait',
    async () => {
      const { pool, prepare } = openScene(null, { module: dataModule('throw new Error("broken")') });
      await expect(prepare(errors(null), pool)).rejects.toMatchObject({ code: 'unavailable' });
    },
    TIMEOUT_MS,
  );

  test(
    'is sent no more than one chunk ahead',
    async () => {
      const counts: number[] = [];
      const { pool, prepare } = openScene(null, {
        module: dataModule(`let chunks = 0;
          parentPort.on('message', ({ type }) => {
            if (type !== 'chunk') return;
            chunks += 1;
            parentPort.postMessage({ type: 'question', id: chunks, question: { what: 'project', projectId: chunks } });
          });
          parentPort.postMessage({ type: 'ready' });`),
        answers: {
          findProject: (chunks) => {
            counts.push(chunks);
            throw unavailable('nobody asks in earnest');
          },
          findSymbols: async () => [],
        },
      });
      const preparing = prepare(errors(null, 1_000), pool).catch((error: unknown) => error);
      await until('chunks to arrive', () => counts.length === 2 * CHUNKS_PER_THREAD_MAX);
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(Math.max(...counts)).toBe(CHUNKS_PER_THREAD_MAX);
      await pool.stop();
      expect(await preparing).toMatchObject({ code: 'unavailable' });
    },
    TIMEOUT_MS,
  );
});

const dataModule = (code: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'; ${code}`)}`,
  );
