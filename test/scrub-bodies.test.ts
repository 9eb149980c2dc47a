import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { deflateSync, inflateSync } from 'node:zlib';
import { encode } from '@msgpack/msgpack';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createReadAhead } from '#ingest/read-ahead.ts';
import { RECORDING_BYTES_MAX, TEXT_BYTES_MAX } from '#ingest/scrub-body.ts';
import type { IngestRecord, RecordItem } from '#ingest/spool-record.ts';
import { digestEnvelope } from '#pipeline/digest-envelope.ts';
import { itemContext, rawItem } from '#pipeline/fixtures/digest-fixture.ts';
import { compileIngestRules } from '#pipeline/ingest-rules.ts';
import { unpackReplayVideo } from '#pipeline/replays/unpack-replay-video.ts';
import { DEFAULT_INGEST_SETTINGS, type PrivacySettings } from '#protocol/ingest-settings.ts';
import { openDiskBlobStore } from '#storage/disk/blob-store.ts';
import type { BlobStore } from '#storage/ports/blobs.ts';
import { testInFull } from './harness/is-full.ts';

const X = 'q7Zk-planted-Xv93';
const EVENT_ID = 'c4ca4238a0b923820dcc509a6f75849b';
const RECORD = { receivedAtMs: 1_790_000_010_000, projectId: 2, eventId: EVENT_ID } as IngestRecord;
const KEY = '2026-09-21/2/sent';
const SCRUBBED = `${KEY}-scrubbed`;
const MIB = 1024 * 1024;

let folder: string;
let blobs: BlobStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'errata-bodies-'));
  blobs = openDiskBlobStore(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const rulesOf = (privacy: Partial<PrivacySettings> = {}) =>
  compileIngestRules({
    ...DEFAULT_INGEST_SETTINGS,
    privacy: { ...DEFAULT_INGEST_SETTINGS.privacy, ...privacy },
  });

/** The item as it is digested: what is stored of it, and its outcomes. */
async function digest(item: RecordItem, privacy: Partial<PrivacySettings> = {}, store: BlobStore = blobs) {
  const rules = rulesOf(privacy);
  const ahead = await createReadAhead(store, { find: () => rules })(item, RECORD, 'a'.repeat(32));
  const facts = { filename: item.facts?.filename ?? null, contentType: item.facts?.contentType ?? null };
  const raw = rawItem(item.type, item.payload, { ...facts, ...ahead });
  return digestEnvelope([raw], itemContext({ envelopeEventId: EVENT_ID, rules }), () => false);
}

const inline = (type: string, payload: Uint8Array, filename?: string): RecordItem => ({
  type,
  payload,
  ...(filename !== undefined && { facts: { filename } }),
});

async function inBlob(type: string, bytes: Uint8Array, filename = 'a.log'): Promise<RecordItem> {
  await blobs.put(KEY, bytes);
  return { type, payload: new Uint8Array(), facts: { filename, blob: { key: KEY, bytes: bytes.length } } };
}

const textOf = async (key: string) => (await blobs.readWhole(key, 64 * MIB))?.toString() ?? null;

const LOG = Buffer.from(
  `12:00 login password=${X}\n${'12:00 all is well\n'.repeat(80_000)}12:01 token=${X}\n`,
);
const PLAIN = Buffer.from('12:00 all is well\n'.repeat(80_000));

describe('a text attachment', () => {
  test('is scrubbed before it is stored', async () => {
    const { blobs: stored } = await digest(inline('attachment', LOG.subarray(0, 200), 'a.log'));
    expect(Buffer.from(stored[0]?.bytes ?? []).toString()).toMatch(/^12:00 login password=\[Filtered\]\n/);
  });

  test('in a blob is written anew, and what was sent is deleted', async () => {
    const { rows } = await digest(await inBlob('attachment', LOG));
    const [row] = rows.attachments;
    expect(row?.blobKey).toBe(SCRUBBED);
    expect(await blobs.size(KEY)).toBeNull();
    expect(await textOf(SCRUBBED)).not.toContain(X);
    expect(row?.bytes).toBe(await blobs.size(SCRUBBED));
  });

  test('that holds nothing private stays where it is', async () => {
    const { rows } = await digest(await inBlob('attachment', PLAIN));
    expect(rows.attachments[0]?.blobKey).toBe(KEY);
    expect(await blobs.size(SCRUBBED)).toBeNull();
  });

  test.each<[string, Partial<BlobStore>]>([
    [
      'while it is written',
      { create: () => ({ key: SCRUBBED, storedBytes: 0, write: die, finish: die, abort: async () => {} }) },
    ],
    ['before what was sent is deleted', { delete: die }],
  ])('is found again after a death %s', async (_name, broken) => {
    const item = await inBlob('attachment', LOG);
    await expect(digest(item, {}, { ...blobs, ...broken })).rejects.toThrow('died');
    const { rows } = await digest(item);
    expect(rows.attachments[0]?.blobKey).toBe(SCRUBBED);
    expect(await blobs.size(KEY)).toBeNull();
    expect(await textOf(SCRUBBED)).toContain('password=[Filtered]');
  });

  test('is found again from quarantine, when what was sent is gone', async () => {
    const item = await inBlob('attachment', LOG);
    const first = await digest(item);
    expect((await digest(item)).rows.attachments[0]?.blobKey).toBe(first.rows.attachments[0]?.blobKey);
    expect(await textOf(SCRUBBED)).not.toBeNull();
  });

  test('is stored as sent, or not at all, as the settings say', async () => {
    const kept = await digest(await inBlob('attachment', LOG), { textAttachments: 'keep' });
    expect(kept.rows.attachments[0]?.blobKey).toBe(KEY);
    const dropped = await digest(await inBlob('attachment', LOG), { textAttachments: 'discard' });
    expect(dropped.rows.attachments).toEqual([]);
    expect(dropped.outcomes).toMatchObject([{ outcome: 'filtered', reason: 'text_attachment' }]);
    expect(await blobs.size(KEY)).toBeNull();
    const inlined = await digest(inline('attachment', LOG.subarray(0, 99)), { textAttachments: 'discard' });
    expect([inlined.blobs, inlined.outcomes[0]?.outcome]).toEqual([[], 'filtered']);
  });

  test('is one too when it is called a minidump', async () => {
    const called = (item: RecordItem): RecordItem => ({
      ...item,
      facts: { ...item.facts, attachmentType: 'event.minidump' },
    });
    const inlined = await digest(called(inline('attachment', LOG.subarray(0, 200))));
    expect(Buffer.from(inlined.blobs[0]?.bytes ?? []).toString()).toMatch(/password=\[Filtered\]\n/);
    const { rows, events } = await digest(called(await inBlob('attachment', LOG)));
    expect(rows.attachments[0]?.blobKey).toBe(SCRUBBED);
    expect(await textOf(SCRUBBED)).not.toContain(X);
    expect(events).toHaveLength(1);
    const dropped = await digest(called(await inBlob('attachment', PLAIN)), { textAttachments: 'discard' });
    expect(dropped.rows.attachments).toEqual([]);
    expect(await blobs.size(KEY)).toBeNull();
  });

  test('is closed again when the store takes nothing', async () => {
    const opened: Readable[] = [];
    const full: BlobStore = {
      ...blobs,
      create: die,
      read: async (key, range) => {
        const stream = await blobs.read(key, range);
        if (stream) opened.push(stream);
        return stream;
      },
    };
    await expect(digest(await inBlob('attachment', LOG), {}, full)).rejects.toThrow('died');
    await expect(digest(await inBlob('unreal_report', LOG), {}, full)).rejects.toThrow('died');
    expect(opened.length).toBeGreaterThanOrEqual(3);
    expect(opened.filter((stream) => !stream.destroyed)).toEqual([]);
  });

  test('that is too large to be scrubbed is not stored', async () => {
    const large = Buffer.alloc(TEXT_BYTES_MAX + 1, 'x');
    const refused = await digest(await inBlob('attachment', large));
    expect(refused.outcomes).toMatchObject([{ outcome: 'invalid', reason: 'text_too_large' }]);
    expect(await blobs.size(KEY)).toBeNull();
    const kept = await digest(await inBlob('attachment', large), { textAttachments: 'keep' });
    expect(kept.rows.attachments).toHaveLength(1);
  });

  test('pictures are no text', async () => {
    const picture = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(`password=${X}`)]);
    for (const textAttachments of ['scrub', 'discard'] as const) {
      const { blobs: stored } = await digest(inline('attachment', picture, 'a.png'), { textAttachments });
      expect(stored[0]?.bytes).toEqual(picture);
    }
  });
});

describe('a recording', () => {
  const events = [
    { type: 3, data: { text: `password=${X}`, n: 1.5 } },
    { type: 5, data: { authorization: X } },
  ];
  const head = Buffer.from('{"segment_id":3}\n');
  const packed = Buffer.concat([head, deflateSync(JSON.stringify(events))]);
  const plain = Buffer.concat([head, Buffer.from(JSON.stringify(events))]);
  const cleaned = [
    { type: 3, data: { text: 'password=[Filtered]', n: 1.5 } },
    { type: 5, data: { authorization: '[Filtered]' } },
  ];

  test('is scrubbed compressed as it was sent', async () => {
    const { blobs: stored, rows } = await digest(inline('replay_recording', packed));
    const bytes = Buffer.from(stored[0]?.bytes ?? []);
    expect(bytes.subarray(0, head.length)).toEqual(head);
    expect(JSON.parse(inflateSync(bytes.subarray(head.length)).toString())).toEqual(cleaned);
    expect(rows.replaySegments[0]).toMatchObject({ segmentId: 3, bytes: bytes.length });
  });

  test('or not compressed, and in a blob', async () => {
    const { rows } = await digest(await inBlob('replay_recording', plain));
    expect(rows.replaySegments[0]?.blobKey).toBe(SCRUBBED);
    expect(await textOf(SCRUBBED)).toBe(`${head.toString()}${JSON.stringify(cleaned)}`);
    expect(await blobs.size(KEY)).toBeNull();
  });

  test('keeps nothing of its first line but the number of the segment', async () => {
    const sent = Buffer.from(`{"segment_id":3,"note":"${X}"}\n[]`);
    const { blobs: stored, rows } = await digest(inline('replay_recording', sent));
    expect(Buffer.from(stored[0]?.bytes ?? []).toString()).toBe('{"segment_id":3}\n[]');
    expect(rows.replaySegments[0]?.segmentId).toBe(3);
    await digest(await inBlob('replay_recording', sent));
    expect(await textOf(SCRUBBED)).toBe('{"segment_id":3}\n[]');
    for (const line of [`{"segment_id":3,"note":"${'x'.repeat(5_000)}"}`, X, `["${X}"]`]) {
      const refused = await digest(inline('replay_recording', Buffer.from(`${line}\n[]`)));
      expect([refused.outcomes[0]?.reason, refused.blobs]).toEqual(['invalid_replay_recording', []]);
    }
  });

  test('that cannot be read is not stored', async () => {
    const broken = Buffer.concat([head, Buffer.from('789cffffffff', 'hex')]);
    const bomb = Buffer.concat([head, deflateSync(Buffer.alloc(RECORDING_BYTES_MAX + 1, ' '), { level: 1 })]);
    for (const item of [inline('replay_recording', broken), await inBlob('replay_recording', bomb)]) {
      const { outcomes, blobs: stored } = await digest(item);
      expect(outcomes).toMatchObject([{ outcome: 'invalid', reason: 'invalid_replay_recording' }]);
      expect(stored).toEqual([]);
    }
    expect([await blobs.size(KEY), await blobs.size(SCRUBBED)]).toEqual([null, null]);
  });

  test('is stored as sent, or not at all, as the settings say', async () => {
    const kept = await digest(inline('replay_recording', packed), { recordings: 'keep' });
    expect(kept.blobs[0]?.bytes).toEqual(packed);
    const dropped = await digest(await inBlob('replay_recording', packed), { recordings: 'discard' });
    expect(dropped.outcomes).toMatchObject([{ outcome: 'filtered', reason: 'replay_recording' }]);
    expect(await blobs.size(KEY)).toBeNull();
  });

  test('of a video is scrubbed inside of it', async () => {
    const event = {
      event_id: EVENT_ID,
      replay_id: EVENT_ID,
      segment_id: 3,
      urls: [`https://e.com/?token=${X}`],
    };
    const parts = {
      replay_event: Buffer.from(JSON.stringify(event)),
      replay_recording: Buffer.concat([
        Buffer.from(`{"segment_id":3,"note":"${X}"}`),
        packed.subarray(head.length - 1),
      ]),
      replay_video: Buffer.alloc(9, 1),
    };
    const { rows } = await digest(await inBlob('replay_video', encode(parts)));
    expect(rows.replays[0]?.urls).toEqual(['https://e.com/?token=[Filtered]']);
    expect(await blobs.size(KEY)).toBeNull();
    const whole = unpackReplayVideo((await blobs.readWhole(SCRUBBED, MIB)) ?? Buffer.alloc(0));
    expect(Buffer.from(whole?.event ?? []).toString()).not.toContain(X);
    const recording = Buffer.from(whole?.recording ?? []);
    expect(recording.subarray(0, head.length)).toEqual(head);
    expect(inflateSync(recording.subarray(head.length)).toString()).not.toContain(X);
    expect(Buffer.from(whole?.video ?? [])).toEqual(Buffer.alloc(9, 1));
  });
});

testInFull('what is scrubbed is never held whole in memory', async () => {
  const line = Buffer.from(`12:00 request done token=${X} in 5 ms\n`);
  const writer = blobs.create(KEY);
  for (let written = 0; written < 24 * MIB; written += line.length * 1_000) {
    writer.write(Buffer.concat(Array.from({ length: 1_000 }, () => line)));
  }
  const { bytes } = await writer.finish();
  let held = 0;
  let most = 0;
  async function* counted(source: Readable): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      held += chunk.length;
      most = Math.max(most, held);
      yield chunk;
    }
  }
  const watched: BlobStore = {
    ...blobs,
    read: async (key, range) => {
      const stream = await blobs.read(key, range);
      return stream && Readable.from(counted(stream));
    },
    create: (key) => {
      const created = blobs.create(key);
      const write = (chunk: Uint8Array) => {
        held -= chunk.length;
        created.write(chunk);
      };
      return { ...created, write };
    },
  };
  const item: RecordItem = {
    type: 'attachment',
    payload: new Uint8Array(),
    facts: { blob: { key: KEY, bytes } },
  };
  const { rows } = await digest(item, {}, watched);
  expect(rows.attachments[0]?.blobKey).toBe(SCRUBBED);
  expect(most).toBeGreaterThan(0);
  // What was read and is not written yet: what hiding takes away of 24 MiB included.
  expect(most).toBeLessThan(8 * MIB);
});

function die(): never {
  throw new Error('it died');
}
