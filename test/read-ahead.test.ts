import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { encode } from '@msgpack/msgpack';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createReadAhead } from '#ingest/read-ahead.ts';
import { UNREAL_BYTES_MAX, unpackUnreal } from '#ingest/read-unreal.ts';
import type { IngestRecord, RecordItem } from '#ingest/spool-record.ts';
import { digestEnvelope } from '#pipeline/digest-envelope.ts';
import { itemContext, rawItem } from '#pipeline/fixtures/digest-fixture.ts';
import { amd64Context, buildMinidump } from '#pipeline/fixtures/minidump-fixture.ts';
import { buildUnrealReport, UNREAL_CONTEXT, UNREAL_LOG } from '#pipeline/fixtures/unreal-fixture.ts';
import { compileIngestRules } from '#pipeline/ingest-rules.ts';
import { DEFAULT_INGEST_SETTINGS } from '#protocol/ingest-settings.ts';
import { openDiskBlobStore } from '#storage/disk/blob-store.ts';
import type { BlobStore } from '#storage/ports/blobs.ts';
import { testInFull } from './harness/is-full.ts';

const RECEIVED_AT_MS = 1_790_000_010_000;
const DAY = '2026-09-21';
const EVENT_ID = 'c4ca4238a0b923820dcc509a6f75849b';
const ITEM_ID = createHash('md5').update('item').digest('hex');
const RECORD: IngestRecord = {
  organizationId: 1,
  projectId: 2,
  keyId: 3,
  receivedAtMs: RECEIVED_AT_MS,
  sentAtMs: null,
  eventId: EVENT_ID,
  clientIp: null,
  userAgent: null,
  isReplay: false,
  items: [],
  outcomes: [],
};
const DUMP = buildMinidump({
  timestamp: 1_790_000_000,
  version: [10, 0, 19045],
  exception: { threadId: 7, code: 0xc0000005, parameters: [0n, 0x45n], context: amd64Context(0x1010n) },
  threads: [{ id: 7 }],
  modules: [{ base: 0x1000n, size: 0x1000, name: 'C:\\Games\\Shop.exe' }],
});
const REPORT = buildUnrealReport([
  { name: 'CrashContext.runtime-xml', content: Buffer.from(UNREAL_CONTEXT) },
  { name: 'Shop.log', content: Buffer.from(UNREAL_LOG) },
  { name: 'UEMinidump.dmp', content: DUMP },
]);

let folder: string;
let blobs: BlobStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'errata-read-ahead-'));
  blobs = openDiskBlobStore(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const read = (item: RecordItem) =>
  createReadAhead(blobs, { find: () => compileIngestRules(DEFAULT_INGEST_SETTINGS) })(item, RECORD, ITEM_ID);
async function stored(type: string, bytes: Uint8Array, facts: RecordItem['facts'] = {}): Promise<RecordItem> {
  const key = `${DAY}/2/sent`;
  await blobs.put(key, bytes);
  return { type, payload: new Uint8Array(), facts: { ...facts, blob: { key, bytes: bytes.length } } };
}
const minidump = (payload: Uint8Array): RecordItem => ({
  type: 'attachment',
  payload,
  facts: { attachmentType: 'event.minidump' },
});
const blobCount = async () => (await blobs.listDays()).reduce((sum, day) => sum + day.blobs, 0);

describe('a minidump', () => {
  test('is read from the record and from a blob alike', async () => {
    const inline = await read(minidump(DUMP));
    const fromBlob = await read(await stored('attachment', DUMP, { attachmentType: 'event.minidump' }));
    expect(inline.crash).toMatchObject({
      kind: 'crash',
      exception: { type: 'EXCEPTION_ACCESS_VIOLATION_READ / 0x45' },
    });
    expect(fromBlob).toEqual(inline);
  });

  test('whose blob is gone, or that is none, says so', async () => {
    expect(
      (
        await read({
          ...minidump(DUMP),
          facts: { attachmentType: 'event.minidump', blob: { key: `${DAY}/2/no`, bytes: 9 } },
        })
      ).crash,
    ).toEqual({
      kind: 'unreadable',
      reason: 'The content is no longer stored',
    });
    expect((await read(minidump(Buffer.from('no dump')))).crash?.kind).toBe('unreadable');
  });
});

describe('a report of Unreal', () => {
  const report = (bytes: Uint8Array, user?: string): RecordItem => ({
    type: 'unreal_report',
    payload: bytes,
    facts: user === undefined ? {} : { unrealUser: user },
  });

  test.each([
    ['compressed', deflateSync(REPORT)],
    ['as it is', REPORT],
  ])('%s becomes an event, its files become attachments', async (_name, bytes) => {
    const item = report(bytes, 'login|epic|machine');
    const ahead = await read(item);
    const result = digestEnvelope(
      [rawItem('unreal_report', bytes, { itemId: ITEM_ID, ...ahead })],
      itemContext({ envelopeEventId: EVENT_ID }),
      () => false,
    );
    const [event] = result.events;
    expect(event).toMatchObject({
      eventId: EVENT_ID,
      level: 'fatal',
      platform: 'native',
      title: 'EXCEPTION_ACCESS_VIOLATION_READ / 0x45',
      release: 'shop@1.0.0',
      environment: 'production',
      message: 'Access violation & more – code c0000005',
      user: { id: 'login', username: 'ada' },
      sdk: { name: 'unreal.crashreporter', version: '1.0' },
    });
    expect(event?.payload.breadcrumbs?.values).toHaveLength(3);
    expect(event?.payload.contexts?.unreal).toMatchObject({ crash_type: 'Crash' });
    expect(event?.payload.contexts?.os).toMatchObject({ name: 'Windows', version: '10.0.19045' });
    expect(result.rows.attachments.map(({ name, type }) => [name, type])).toEqual([
      ['CrashContext.runtime-xml', 'unreal.context'],
      ['Shop.log', 'unreal.logs'],
      ['UEMinidump.dmp', 'event.minidump'],
    ]);
    const keys = result.rows.attachments.map(({ blobKey }) => blobKey);
    expect(await Promise.all(keys.map((key) => blobs.readWhole(key, 1_000_000)))).toEqual([
      Buffer.from(UNREAL_CONTEXT),
      Buffer.from(UNREAL_LOG),
      DUMP,
    ]);
    expect(result.rows.feedback[0]).toMatchObject({
      message: 'I opened the chest',
      associatedEventId: EVENT_ID,
    });
    expect(result.outcomes.map(({ category, outcome, quantity }) => [category, outcome, quantity])).toEqual([
      ['error', 'accepted', 1],
      ['attachment', 'accepted', 3],
      ['user_report_v2', 'accepted', 1],
    ]);
  });

  test('leaves nothing behind but its files, and read again the same', async () => {
    const first = await read(report(deflateSync(REPORT)));
    expect(await blobCount()).toBe(3);
    expect(await read(report(deflateSync(REPORT)))).toEqual(first);
    expect(await blobCount()).toBe(3);
  });

  test('in a blob is read as well', async () => {
    const item = await stored('unreal_report', deflateSync(REPORT));
    expect((await read(item)).crash).toMatchObject({ kind: 'crash', exception: { thread_id: 7 } });
  });

  test('gives its crash to the event that came with it', async () => {
    const ahead = await read(report(deflateSync(REPORT)));
    const result = digestEnvelope(
      [
        rawItem('unreal_report', new Uint8Array(), { itemId: ITEM_ID, ...ahead }),
        rawItem('event', { release: 'own@2', level: 'error' }),
      ],
      itemContext({ envelopeEventId: EVENT_ID }),
      () => false,
    );
    expect(result.events).toHaveLength(1);
    expect(result.events[0]).toMatchObject({ release: 'own@2', level: 'error' });
    expect(result.rows.attachments).toHaveLength(3);
  });

  test.each([
    ['garbage', Buffer.from('not a report at all')],
    ['a report that was cut', deflateSync(REPORT).subarray(0, 500)],
    ['something else compressed', deflateSync('hello')],
    ['nothing', Buffer.alloc(0)],
  ])('that is %s is refused, and leaves nothing behind', async (_name, bytes) => {
    const { crash } = await read(report(bytes));
    expect(crash?.kind).toBe('unreadable');
    expect(await blobCount()).toBe(0);
    const result = digestEnvelope(
      [rawItem('unreal_report', bytes, { crash }), rawItem('attachment', 'x')],
      itemContext({ envelopeEventId: EVENT_ID }),
      () => false,
    );
    expect(result.events).toEqual([]);
    expect(result.outcomes.map(({ category, reason }) => [category, reason])).toEqual([
      ['error', 'invalid_unreal_report'],
      ['attachment', 'invalid_unreal_report'],
    ]);
  });

  testInFull('that unpacks to more than it may ends there', async () => {
    const bomb = deflateSync(Buffer.alloc(UNREAL_BYTES_MAX + 1));
    expect(bomb.length).toBeLessThan(1024 * 1024);
    const { crash } = await read(report(bomb));
    expect(crash).toEqual({ kind: 'unreadable', reason: expect.stringContaining('more than') });
    expect(await blobCount()).toBe(0);
  });

  test('is closed when it is given up half-way', async () => {
    let isClosed = false;
    const bomb = deflateSync(Buffer.alloc(UNREAL_BYTES_MAX + 1));
    async function* body() {
      try {
        for (let at = 0; at < bomb.length; at += 1_000) yield bomb.subarray(at, at + 1_000);
        yield* Array.from({ length: 1_000 }, () => Buffer.alloc(1_000));
      } finally {
        isClosed = true;
      }
    }
    await unpackUnreal(blobs, `${DAY}/2/unpacked`, body());
    await expect.poll(() => isClosed).toBe(true);
  });

  test('whose blob cannot be read is not its own fault', async () => {
    async function* body(): AsyncGenerator<Uint8Array> {
      yield deflateSync(REPORT).subarray(0, 300);
      throw new Error('the disk is away');
    }
    await expect(unpackUnreal(blobs, `${DAY}/2/unpacked`, body())).rejects.toThrow('the disk is away');
    expect(await blobCount()).toBe(0);
  });
});

describe('a replay in a blob', () => {
  const recording = Buffer.concat([
    Buffer.from('{"segment_id":3}\n'),
    deflateSync('[]'),
    Buffer.alloc(200_000, 7),
  ]);

  test('of a recording only the beginning is read', async () => {
    const { head } = await read(await stored('replay_recording', recording));
    expect(head).toEqual(recording.subarray(0, 64 * 1024));
  });

  test('a video is taken apart into blobs', async () => {
    const event = Buffer.from('{"replay_id":"x"}');
    const video = Buffer.alloc(300_000, 9);
    const item = await stored(
      'replay_video',
      encode({ replay_event: event, replay_recording: recording, replay_video: video }),
    );
    const { videoParts } = await read(item);
    if (videoParts?.kind !== 'parts') throw new Error('not unpacked');
    expect(Buffer.from(videoParts.event)).toEqual(event);
    expect(videoParts.recordingHead).toHaveLength(64 * 1024);
    expect(await blobs.readWhole(videoParts.recording.key, 1_000_000)).toEqual(recording);
    expect(await blobs.readWhole(videoParts.video.key, 1_000_000)).toEqual(video);
    expect((await read(await stored('replay_video', Buffer.from('no video')))).bodyFate).toBe('unreadable');
  });
});

test('of a profile in a blob the head is skimmed, however large it is', async () => {
  const sample = { stack_id: 0, thread_id: '0', elapsed_since_start_ns: '5' };
  const profile = {
    profile: {
      frames: Array.from({ length: 50_000 }, (_, index) => ({ function: `f${index}` })),
      samples: [sample, { ...sample, elapsed_since_start_ns: '2000000000' }],
      stacks: [[0]],
    },
    version: '1',
    event_id: EVENT_ID,
    platform: 'node',
    transaction: { name: 'GET /cart', id: EVENT_ID, trace_id: EVENT_ID },
  };
  const item = await stored('profile', Buffer.from(JSON.stringify(profile)));
  const ahead = await read(item);
  expect(ahead.head?.length).toBeLessThan(1_000);
  const result = digestEnvelope(
    [rawItem('profile', new Uint8Array(), { blob: item.facts?.blob ?? null, ...ahead })],
    itemContext({ envelopeEventId: EVENT_ID }),
    () => false,
  );
  expect(result.rows.profiles[0]).toMatchObject({ transactionName: 'GET /cart', durationMs: 2_000 });
});

test('nothing is read of what needs nothing', async () => {
  const item = await stored('attachment', Buffer.from('hello'));
  expect(await read(item)).toMatchObject({
    crash: null,
    head: null,
    videoParts: null,
    blob: item.facts?.blob,
  });
});
