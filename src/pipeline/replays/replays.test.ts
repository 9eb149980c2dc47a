import { deflateSync } from 'node:zlib';
import { encode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_INGEST_SETTINGS, NO_FILTERS } from '#protocol/ingest-settings.ts';
import { FIXTURES_RECEIVED_AT_MS, itemContext, rawItem } from '../fixtures/digest-fixture.ts';
import { compileIngestRules } from '../ingest-rules.ts';
import type { ItemContext, RawItem } from '../item.ts';
import { digestReplayEvent, digestReplayRecording, digestReplayVideo } from './digest-replay.ts';
import { unpackReplayVideo } from './unpack-replay-video.ts';

const REPLAY_ID = 'd2132d31b39445f1938d7e21b6bf0ec4';
const ERROR_ID = '63c5b0f895441a94340183c5f1e74cd4';
const ITEM_ID = '0123456789abcdef0123456789abcdef';
const SECONDS = FIXTURES_RECEIVED_AT_MS / 1000;

const replay = (fields: Record<string, unknown> = {}) => ({
  type: 'replay_event',
  event_id: REPLAY_ID,
  replay_id: REPLAY_ID,
  segment_id: 3,
  replay_type: 'buffer',
  timestamp: SECONDS - 1,
  replay_start_timestamp: SECONDS - 30,
  urls: ['https://shop.example/', 'https://shop.example/cart'],
  error_ids: [ERROR_ID],
  trace_ids: ['52DF9022-8352-46EE-B317-DBD739CCD059'],
  platform: 'javascript',
  release: 'shop@1.0.0',
  environment: 'production',
  user: { id: 42, email: 'ada@example.com' },
  tags: { plan: 'pro' },
  request: {
    headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
  },
  sdk: { name: 'sentry.javascript.browser', version: '11.1.0' },
  ...fields,
});
const digest = (payload: unknown, context: Partial<ItemContext> = {}) =>
  digestReplayEvent(rawItem('replay_event', payload), itemContext(context));

describe('the event of a replay', () => {
  test('is normalized as an event and keeps what is its own', () => {
    const row = digest(replay()).rows.replays?.[0];
    expect(row).toMatchObject({
      replayId: REPLAY_ID,
      segmentId: 3,
      startedAt: FIXTURES_RECEIVED_AT_MS - 30_000,
      occurredAt: FIXTURES_RECEIVED_AT_MS - 1_000,
      replayType: 'buffer',
      urls: ['https://shop.example/', 'https://shop.example/cart'],
      errorIds: [ERROR_ID],
      traceIds: ['52df9022835246eeb317dbd739ccd059'],
      release: 'shop@1.0.0',
      environment: 'production',
      platform: 'javascript',
      userId: '42',
    });
    expect(row?.payload).toMatchObject({
      type: 'replay_event',
      tags: [['plan', 'pro']],
      contexts: { browser: { name: 'Firefox' } },
      sdk: { name: 'sentry.javascript.browser' },
    });
  });

  test('lists end at a hundred', () => {
    const many = <T>(value: T): T[] => Array.from({ length: 150 }, () => value);
    const row = digest(
      replay({ urls: many('https://a.example/'), error_ids: many(ERROR_ID), trace_ids: many(ERROR_ID) }),
    ).rows.replays?.[0];
    expect([row?.urls.length, row?.errorIds.length, row?.traceIds.length]).toEqual([100, 100, 100]);
  });

  test('ids of zeros are left out', () => {
    expect(digest(replay({ trace_ids: ['0'.repeat(32), null] })).rows.replays?.[0]?.traceIds).toEqual([]);
  });

  test.each([
    [{ replay_id: 'x' }],
    [{ replay_id: undefined }],
    [{ segment_id: undefined }],
    [{ segment_id: -1 }],
    [{ segment_id: 1.5 }],
    [{ error_ids: ['test'] }],
    [{ trace_ids: ['123'] }],
    [{ trace_ids: 'none' }],
  ])('is refused with %j', (fields) => {
    expect(digest(replay(fields)).outcomes).toEqual([
      { category: 'replay', outcome: 'invalid', reason: 'invalid_replay', quantity: 1 },
    ]);
  });

  test('a clock that is off shifts both times', () => {
    const ahead = 7_200;
    const row = digest(
      replay({ timestamp: SECONDS + ahead - 1, replay_start_timestamp: SECONDS + ahead - 30 }),
      {
        sentAtMs: FIXTURES_RECEIVED_AT_MS + ahead * 1000,
      },
    ).rows.replays?.[0];
    expect(row?.startedAt).toBe(FIXTURES_RECEIVED_AT_MS - 30_000);
    expect(row?.occurredAt).toBe(FIXTURES_RECEIVED_AT_MS - 1_000);
  });

  test('inbound filters hold', () => {
    const rules = compileIngestRules({
      ...DEFAULT_INGEST_SETTINGS,
      filters: { ...NO_FILTERS, releases: ['shop@*'] },
    });
    expect(digest(replay(), { rules }).outcomes[0]).toMatchObject({
      outcome: 'filtered',
      reason: 'release-version',
    });
  });

  test('what a URL should not hold is scrubbed, where it is listed too', () => {
    const urls = ['https://shop.example/?card=4242424242424242'];
    const row = digest(replay({ urls })).rows.replays?.[0];
    expect(JSON.stringify(row)).not.toContain('4242424242424242');
  });

  test('whatever is sent, there is exactly one outcome', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(replay())), fc.jsonValue(), (name, value) => {
        expect(digest(replay({ [name]: value })).outcomes).toHaveLength(1);
      }),
    );
  });
});

const recording = (segment: unknown = 3, body: Uint8Array = deflateSync('[]')) =>
  Buffer.concat([Buffer.from(`{"segment_id":${JSON.stringify(segment)}}\n`), body]);

describe('a recording', () => {
  const record = (
    item: Partial<RawItem> & { payload: Uint8Array },
    envelopeEventId: string | null = REPLAY_ID,
  ) =>
    digestReplayRecording(rawItem('replay_recording', item.payload, item), itemContext({ envelopeEventId }));

  test('is kept as it was sent', () => {
    const payload = recording();
    const result = record({ payload });
    expect(result.rows.replaySegments?.[0]).toMatchObject({
      replayId: REPLAY_ID,
      segmentId: 3,
      kind: 'recording',
      bytes: payload.length,
    });
    expect(result.blobs[0]?.bytes).toEqual(payload);
  });

  test('in a blob is known by its first bytes', () => {
    const blob = { key: '2026-09-21/2/abc', bytes: 5_000_000 };
    const result = record({ payload: new Uint8Array(), blob, head: recording(7) });
    expect(result.blobs).toEqual([]);
    expect(result.rows.replaySegments?.[0]).toMatchObject({
      segmentId: 7,
      bytes: 5_000_000,
      blobKey: blob.key,
    });
  });

  test.each([
    ['no header', deflateSync('[]')],
    ['a header that is no JSON', Buffer.from('egment_id":3}\nx')],
    ['a header without a number', recording('three')],
    ['nothing behind the header', Buffer.from('{"segment_id":3}\n')],
    ['nothing at all', Buffer.alloc(0)],
    ['a header without an end', Buffer.from(`{"segment_id":3,"x":"${'x'.repeat(10_000)}`)],
  ])('with %s is refused', (_name, payload) => {
    expect(record({ payload }).outcomes[0]).toMatchObject({
      outcome: 'invalid',
      reason: 'invalid_replay_recording',
    });
  });

  test('without a replay is refused', () => {
    expect(record({ payload: recording() }, null).outcomes[0]?.reason).toBe('missing_replay_id');
  });
});

describe('a video', () => {
  const parts = (fields: Record<string, unknown> = {}) =>
    encode({
      replay_event: Buffer.from(JSON.stringify(replay())),
      replay_recording: recording(),
      replay_video: Buffer.from('an mp4, say'),
      ...fields,
    });
  const video = (payload: Uint8Array, item: Partial<RawItem> = {}) =>
    digestReplayVideo(rawItem('replay_video', payload, item), itemContext());

  test('is an event, a recording and a video', () => {
    const result = video(parts());
    expect(result.rows.replays?.[0]?.replayId).toBe(REPLAY_ID);
    expect(result.rows.replaySegments?.map(({ kind, bytes, segmentId }) => [kind, bytes, segmentId])).toEqual(
      [
        ['recording', recording().length, 3],
        ['video', 11, 3],
      ],
    );
    expect(result.blobs.map(({ bytes }) => Buffer.from(bytes))).toEqual([
      recording(),
      Buffer.from('an mp4, say'),
    ]);
    expect(result.rows.replaySegments?.map(({ blobKey }) => blobKey)).toEqual(
      result.blobs.map(({ key }) => key),
    );
    expect(result.outcomes).toEqual([{ category: 'replay', outcome: 'accepted', reason: '', quantity: 1 }]);
  });

  test('whose parts were stored ahead brings no bytes', () => {
    const result = video(new Uint8Array(), {
      blob: { key: 'whole', bytes: 9_000_000 },
      videoParts: {
        kind: 'parts',
        event: Buffer.from(JSON.stringify(replay())),
        recordingHead: recording(),
        recording: { key: `2026-09-21/2/${ITEM_ID}-recording`, bytes: 100 },
        video: { key: `2026-09-21/2/${ITEM_ID}-video`, bytes: 8_000_000 },
      },
    });
    expect(result.blobs).toEqual([]);
    expect(result.rows.replaySegments?.[1]).toMatchObject({ kind: 'video', bytes: 8_000_000 });
  });

  test.each([
    ['an array', encode([1, 2, 3])],
    ['a map of other things', encode({ a: 1 })],
    ['a part that is no bytes', parts({ replay_video: 5 })],
    ['a part that is a map', parts({ replay_video: { a: 1 } })],
    ['bytes that end early', parts().subarray(0, 100)],
    ['nothing', new Uint8Array()],
    ['JSON', Buffer.from('{"replay_event":{}}')],
  ])('that is %s is refused', (_name, payload) => {
    expect(video(payload).outcomes[0]).toMatchObject({ outcome: 'invalid', reason: 'invalid_replay_video' });
  });

  test('deep nesting and lengths that lie cost nothing', () => {
    const nested = Buffer.alloc(5_000_000, 0x91);
    const lying = Buffer.from([0x81, 0xa1, 0x61, 0xc6, 0xff, 0xff, 0xff, 0xff]);
    const many = Buffer.from([0xdf, 0xff, 0xff, 0xff, 0xff]);
    for (const bytes of [nested, lying, many, Buffer.concat([Buffer.from([0x83]), nested])]) {
      expect(unpackReplayVideo(bytes)).toBeNull();
    }
  });

  test('reads what the library writes, whatever the lengths', () => {
    const bytes = fc.uint8Array({ maxLength: 70_000, size: 'max' });
    fc.assert(
      fc.property(bytes, bytes, bytes, (event, recorded, filmed) => {
        const unpacked = unpackReplayVideo(
          encode({ replay_event: event, replay_recording: recorded, other: 'x', replay_video: filmed }),
        );
        expect(
          unpacked && [unpacked.event, unpacked.recording, unpacked.video].map((each) => Buffer.from(each)),
        ).toEqual([event, recorded, filmed].map((each) => Buffer.from(each)));
      }),
      { numRuns: 30 },
    );
    fc.assert(
      fc.property(fc.uint8Array(), (noise) => {
        unpackReplayVideo(noise);
        expect(video(noise).outcomes).toHaveLength(1);
      }),
    );
  });
});
