import { randomBytes } from 'node:crypto';
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { BlobRoom, type BlobRoomDeps } from '#ingest/blob-room.ts';
import { createLog } from '#lib/log.ts';
import type { StorageState } from '#protocol/storage-budget.ts';
import { buildEnvelope } from './harness/envelope.ts';
import { testInFull } from './harness/is-full.ts';
import {
  EDGE_KEY,
  EDGE_PROJECT,
  expectRefusal,
  itemsOf,
  type OpenEdge,
  openEdge,
  send,
} from './harness/open-edge.ts';

const MIB = 1024 * 1024;
const at = (route: string) => `/api/${EDGE_PROJECT}/${route}`;
const EVENT = { type: 'event', payload: '{"message":"boom"}' };
const ID = 'a'.repeat(32);

let edge: OpenEdge;
afterEach(() => edge.close());

const outcomes = () =>
  edge.records.flatMap((record) =>
    record.outcomes.map(({ category, outcome, reason }) => `${category} ${outcome}/${reason}`),
  );
const kept = () => edge.records.flatMap((record) => itemsOf(record).map(({ type }) => type));

describe('a body that unpacks to filler', () => {
  const zeros = buildEnvelope({ event_id: ID }, [
    EVENT,
    { type: 'attachment', payload: Buffer.alloc(40 * MIB) },
  ]);
  test.each([
    ['gzip', gzipSync(zeros)],
    ['deflate', deflateSync(zeros)],
    ['br', brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } })],
    ['zstd', zstdCompressSync(zeros)],
  ])('is refused with an outcome: %s', async (encoding, body) => {
    edge = await openEdge();
    const response = await send(edge, at('envelope/'), body, { headers: { 'content-encoding': encoding } });
    await expectRefusal(response, 413, /more than 100 times its size/);
    expect(edge.refused).toContainEqual({
      category: 'attachment',
      outcome: 'invalid',
      reason: 'compression_ratio',
      quantity: 1,
    });
    expect(edge.blobFiles()).toEqual([]);
  });

  testInFull('is taken when it is short, or when it packs as text does', async () => {
    edge = await openEdge();
    const short = buildEnvelope({}, [{ type: 'attachment', payload: Buffer.alloc(15 * MIB) }]);
    const words = Array.from({ length: 512 }, () => randomBytes(6).toString('hex'));
    let log = '';
    for (let line = 0; log.length < 24 * MIB; line++)
      log += `{"level":"info","line":${line},"message":"${words[line % 512]} was served to ${words[(line * 7) % 512]}"}\n`;
    const text = buildEnvelope({}, [{ type: 'attachment', payload: log }]);
    for (const body of [gzipSync(short), zstdCompressSync(text)]) {
      const encoding = body[0] === 0x1f ? 'gzip' : 'zstd';
      const response = await send(edge, at('envelope/'), body, { headers: { 'content-encoding': encoding } });
      expect(response.status).toBe(200);
    }
  });

  test('is refused in layers too: a packed dump in a packed request', async () => {
    edge = await openEdge();
    const dump = gzipSync(Buffer.concat([Buffer.from('MDMP'), Buffer.alloc(40 * MIB)]));
    const response = await send(edge, at('minidump/'), zstdCompressSync(dump), {
      headers: { 'content-encoding': 'zstd', 'content-type': 'application/octet-stream' },
    });
    await expectRefusal(response, 413, /more than 100 times its size/);
    expect(edge.blobFiles()).toEqual([]);
  });
});

describe('the built-in project', () => {
  const other = [
    { type: 'transaction', payload: '{"type":"transaction"}' },
    { type: 'attachment', payload: Buffer.alloc(2 * MIB, 1) },
    { type: 'session', payload: '{}' },
    { type: 'replay_recording', payload: '{}\n[]' },
    { type: 'profile', payload: '{}' },
    { type: 'log', payload: '{"items":[]}', headers: { item_count: 1 } },
    { type: 'feedback', payload: '{}' },
    { type: 'check_in', payload: '{}' },
    {
      type: 'client_report',
      payload: '{"discarded_events":[{"reason":"x","category":"error","quantity":5}]}',
    },
  ];
  const form = (): FormData => {
    const body = new FormData();
    body.append('upload_file_minidump', new Blob(['MDMP']), 'dump');
    return body;
  };

  test('takes the errors of an envelope and nothing else of it, also through the tunnel', async () => {
    edge = await openEdge({ isInternal: true });
    const header = { dsn: `http://${EDGE_KEY}@localhost/${EDGE_PROJECT}` };
    const body = buildEnvelope(header, [EVENT, ...other]);
    const direct = await send(edge, at('envelope/'), body);
    const tunnelled = await send(edge, `/monitoring?o=1&p=${EDGE_PROJECT}`, body, { auth: false });
    expect([direct.status, tunnelled.status]).toEqual([200, 200]);
    expect(kept()).toEqual(['event', 'event']);
    const refused = [
      'transaction',
      'attachment',
      'session',
      'replay',
      'profile',
      'log_item',
      'feedback',
      'monitor',
    ];
    const expected = refused.map((category) => `${category} invalid/errors_only`);
    expect(outcomes()).toEqual([...expected, ...expected]);
    expect(edge.blobsBegun()).toBe(0);
  });

  const routes: [route: string, body: () => string | Buffer | FormData, category: string][] = [
    ['minidump/', form, 'error'],
    ['unreal/key/', () => Buffer.from('CR1 report'), 'error'],
    [`events/${ID}/attachments/`, form, 'attachment'],
    ['security/', () => '{}', 'security'],
    ['nel/', () => '[]', 'security'],
    ['cron/job/', () => '{"status":"ok"}', 'monitor'],
    ['integration/otlp/v1/logs/', () => '{}', 'log_item'],
    ['integration/otlp/v1/traces/', () => '{}', 'span'],
  ];
  test.each(routes)('refuses %s with an outcome', async (route, body, category) => {
    edge = await openEdge({ isInternal: true });
    const path = route === 'unreal/key/' ? at(`unreal/${EDGE_KEY}/`) : at(route);
    const content = body();
    const response = await send(edge, path, content, {
      headers: content instanceof FormData ? {} : { 'content-type': 'application/json' },
    });
    await expectRefusal(response, 403, /accepts only errors/);
    expect(edge.refused).toEqual([{ category, outcome: 'invalid', reason: 'errors_only', quantity: 1 }]);
    expect(edge.records).toEqual([]);
  });

  test('takes an error by /store/, and no transaction', async () => {
    edge = await openEdge({ isInternal: true });
    expect((await send(edge, at('store/'), '{"message":"x"}')).status).toBe(200);
    await expectRefusal(await send(edge, at('store/'), '{"type":"transaction"}'), 403, /accepts only errors/);
  });
});

describe('near the disk budget', () => {
  const GIB = 1024 * MIB;
  const OTHER = 7;
  const state = (change: Partial<StorageState>): StorageState => ({
    measuredAt: Date.now(),
    usedBytes: GIB / 2,
    budgetBytes: GIB,
    projects: [
      { projectId: EDGE_PROJECT, bytes: GIB / 4, blobBytes: GIB / 8, budgetBytes: null },
      { projectId: OTHER, bytes: GIB / 4, blobBytes: 0, budgetBytes: null },
    ],
    ...change,
  });
  /** The disk as the edge itself finds it when nobody else has measured. */
  const depsOf = (findState: () => Promise<StorageState | null>): BlobRoomDeps => ({
    retention: { findState },
    disk: {
      measure: async () => ({
        usedBytes: 0.6 * GIB,
        parts: { clickhouse: 0, postgres: 0, spool: 0, blobs: 0.6 * GIB, artifacts: 0, other: 0 },
        budgetBytes: GIB,
        volumeBytes: GIB,
        freeBytes: GIB,
      }),
    },
    blobs: {
      isLocal: true,
      listUsage: async () => [{ day: '2026-03-01', projectId: EDGE_PROJECT, bytes: 0.6 * GIB, blobs: 1 }],
    },
  });
  const openRoom = async (found: StorageState) => {
    const room = new BlobRoom(
      depsOf(async () => found),
      createLog('edge', 'fatal'),
    );
    await room.refresh();
    edge = await openEdge({ blobRoom: room });
    return room;
  };
  const withAttachment = (payload: Buffer) =>
    buildEnvelope({ event_id: ID }, [EVENT, { type: 'attachment', payload }]);
  const HEAVY = { projectId: EDGE_PROJECT, bytes: 0.6 * GIB, blobBytes: 0.5 * GIB, budgetBytes: null };

  test.each([
    ['the share of blobs is full and it has most of them', { projects: [HEAVY] }],
    ['its own budget is full', { projects: [{ ...HEAVY, blobBytes: 0, budgetBytes: GIB / 2 }] }],
    ['everything is nearly full', { usedBytes: 0.98 * GIB }],
  ])('a project keeps its events and has its attachments refused when %s', async (_name, change) => {
    await openRoom(state(change));
    const response = await send(edge, at('envelope/'), withAttachment(Buffer.alloc(2 * MIB, 1)));
    expect(response.status).toBe(429);
    expect(response.headers.get('x-sentry-rate-limits')).toBe(
      '60:attachment;replay;profile;profile_chunk:project:blob_budget',
    );
    expect(kept()).toEqual(['event']);
    expect(outcomes()).toEqual(['attachment rate_limited/blob_budget']);
    expect(edge.blobFiles()).toEqual([]);
    const dump = await send(edge, at('minidump/'), Buffer.from('MDMP and more'), {
      headers: { 'content-type': 'application/octet-stream' },
    });
    // Crash reporters hear of no limits; the event stays without its dump.
    expect(dump.status).toBe(200);
    expect(kept()).toEqual(['event', 'event']);
  });

  test('others go on sending them while one is refused', async () => {
    const light = { projectId: EDGE_PROJECT, bytes: 1, blobBytes: 1, budgetBytes: null };
    const room = await openRoom(state({ projects: [light, { ...HEAVY, projectId: OTHER }] }));
    expect((await send(edge, at('envelope/'), withAttachment(Buffer.alloc(2 * MIB)))).status).toBe(200);
    expect(room.findLimit(OTHER, Date.now())).not.toBeNull();
    expect(kept()).toEqual(['event', 'attachment']);
  });

  test('what arrives between two measurements counts, in the middle of a body and over many at once', async () => {
    await openRoom(state({ usedBytes: 0.85 * GIB }));
    // 2 % of the budget, 20 MiB, is what one project may add.
    const bodies = Array.from({ length: 5 }, () => withAttachment(randomBytes(10 * MIB)));
    const answers = await Promise.all(bodies.map((body) => send(edge, at('envelope/'), body)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses.at(-1)).toBe(429);
    expect(kept().filter((type) => type === 'event')).toHaveLength(5);
    const stored = (await edge.blobs.listUsage()).reduce((sum, { bytes }) => sum + bytes, 0);
    expect(stored).toBeLessThan(24 * MIB);
    expect(outcomes().length).toBeGreaterThanOrEqual(3);
  });

  test.each([
    ['nobody has measured yet', async () => null],
    ['the last measurement is old', async () => state({ measuredAt: Date.now() - 600_000 })],
    ['the database is away', () => Promise.reject(new Error('away'))],
  ])('the edge measures the disk by itself when %s', async (_name, findState) => {
    const room = new BlobRoom(depsOf(findState), createLog('edge', 'fatal'));
    edge = await openEdge({ blobRoom: room });
    await room.refresh();
    expect(room.findLimit(EDGE_PROJECT, Date.now())?.quota.reasonCode).toBe('blob_budget');
    expect(room.findLimit(OTHER, Date.now())).toBeNull();
  });

  test('nothing is refused while blobs lie elsewhere', async () => {
    const found = state({ usedBytes: 0.98 * GIB, projects: [HEAVY] });
    const local = depsOf(async () => found);
    const room = new BlobRoom(
      { ...local, blobs: { ...local.blobs, isLocal: false } },
      createLog('edge', 'fatal'),
    );
    await room.refresh();
    expect(room.findLimit(EDGE_PROJECT, Date.now())).toBeNull();
  });

  test('an empty attachment is refused too', async () => {
    await openRoom(state({ usedBytes: 0.98 * GIB }));
    expect((await send(edge, at('envelope/'), withAttachment(Buffer.alloc(0)))).status).toBe(429);
    expect(kept()).toEqual(['event']);
    expect(outcomes()).toEqual(['attachment rate_limited/blob_budget']);
  });

  test.each([0, 1])('an attachment of %i bytes counts as the block that its file takes', async (bytes) => {
    const found = state({ usedBytes: 850 * 4_096, budgetBytes: 1_000 * 4_096, projects: [] });
    const room = await openRoom(found);
    const tiny = { type: 'attachment', payload: Buffer.alloc(bytes) };
    // 2 % of the budget, 20 blocks, is what one project may add.
    const body = buildEnvelope({ event_id: ID }, [EVENT, ...Array.from({ length: 20 }, () => tiny)]);
    expect(room.findLimit(EDGE_PROJECT, Date.now())).toBeNull();
    await send(edge, at('envelope/'), body);
    expect(room.findLimit(EDGE_PROJECT, Date.now())).not.toBeNull();
  });

  test('a report of Unreal counts with what digest unpacks from it', async () => {
    // 2 % of the budget, 20 MiB, is what one project may add.
    await openRoom(state({ usedBytes: 0.85 * GIB }));
    const reportOf = (bytes: number) => Buffer.concat([Buffer.from('CR1'), randomBytes(bytes)]);
    const item = { type: 'unreal_report', payload: reportOf(5 * MIB) };
    expect((await send(edge, at('envelope/'), buildEnvelope({ event_id: ID }, [item]))).status).toBe(200);
    expect((await send(edge, at(`unreal/${EDGE_KEY}/`), reportOf(3 * MIB))).status).toBe(200);
    expect(kept()).toEqual(['unreal_report']);
    expect(outcomes()).toEqual(['error rate_limited/blob_budget']);
  });

  test('many short reports of Unreal count with the files that each may hold', async () => {
    const room = await openRoom(state({ usedBytes: 0.85 * GIB }));
    for (let count = 0; count < 51; count++) {
      expect(room.findLimit(EDGE_PROJECT, Date.now()), `after ${count}`).toBeNull();
      await send(edge, at(`unreal/${EDGE_KEY}/`), Buffer.from(`CR1 report ${count}`));
    }
    expect(room.findLimit(EDGE_PROJECT, Date.now())).not.toBeNull();
  });

  testInFull('what a refused request wrote and removed does not count', async () => {
    const room = await openRoom(state({ usedBytes: 0.85 * GIB }));
    const broken = Buffer.concat([withAttachment(randomBytes(15 * MIB)), Buffer.from('{"type":"event"')]);
    for (let time = 0; time < 3; time++) {
      expect((await send(edge, at('envelope/'), broken)).status).toBe(400);
      expect(room.findLimit(EDGE_PROJECT, Date.now())).toBeNull();
    }
    expect(edge.blobFiles()).toEqual([]);
  });
});
