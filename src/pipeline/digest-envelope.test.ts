import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_INGEST_SETTINGS, NO_FILTERS } from '#protocol/ingest-settings.ts';
import { digestEnvelope, isStoredType } from './digest-envelope.ts';
import { FIXTURES_RECEIVED_AT_MS, itemContext, rawItem } from './fixtures/digest-fixture.ts';
import { compileIngestRules } from './ingest-rules.ts';
import type { ItemContext, RawItem } from './item.ts';

const EVENT_ID = 'c4ca4238a0b923820dcc509a6f75849b';
const digest = (
  items: readonly RawItem[],
  context: Partial<ItemContext> = {},
  known: readonly string[] = [],
) =>
  digestEnvelope(items, itemContext({ envelopeEventId: EVENT_ID, ...context }), (id) => known.includes(id));
const outcomes = (result: ReturnType<typeof digest>) =>
  result.outcomes.map(({ category, outcome, reason }) => [category, outcome, reason]);
const filtering = (releases: string[]): Partial<ItemContext> => ({
  rules: compileIngestRules({ ...DEFAULT_INGEST_SETTINGS, filters: { ...NO_FILTERS, releases } }),
});

const replayEvent = rawItem('replay_event', {
  replay_id: EVENT_ID,
  segment_id: 0,
  timestamp: FIXTURES_RECEIVED_AT_MS / 1000,
  release: 'shop@1',
});
const recording = rawItem('replay_recording', Buffer.from('{"segment_id":0}\n[]'));
const event = rawItem('event', { message: 'x', release: 'shop@1' });
const attachment = rawItem('attachment', Buffer.from('x'));

describe('items that share a fate', () => {
  test('an attachment goes with its event, wherever it stands', () => {
    for (const items of [
      [event, attachment],
      [attachment, event],
    ]) {
      expect(outcomes(digest(items, filtering(['shop@*'])))).toEqual([
        ['error', 'filtered', 'release-version'],
        ['attachment', 'filtered', 'release-version'],
      ]);
      expect(outcomes(digest(items, {}, [EVENT_ID]))).toEqual([
        ['error', 'invalid', 'duplicate'],
        ['attachment', 'invalid', 'duplicate'],
      ]);
      expect(digest(items).rows.attachments).toHaveLength(1);
    }
  });

  test('a recording goes with its replay, wherever it stands', () => {
    for (const items of [
      [replayEvent, recording],
      [recording, replayEvent],
    ]) {
      const refused = digest(items, filtering(['shop@*']));
      expect(outcomes(refused)).toEqual([
        ['replay', 'filtered', 'release-version'],
        ['replay', 'filtered', 'release-version'],
      ]);
      expect(refused.rows.replaySegments).toEqual([]);
      expect(refused.blobs).toEqual([]);
      expect(digest(items).rows.replaySegments).toHaveLength(1);
    }
  });

  test('but not with an event that was refused', () => {
    const result = digest([rawItem('event', Buffer.from('no')), replayEvent, recording]);
    expect(result.rows.replays).toHaveLength(1);
    expect(result.rows.replaySegments).toHaveLength(1);
  });

  test('alone it is taken', () => {
    expect(digest([recording]).rows.replaySegments).toHaveLength(1);
    expect(digest([attachment]).rows.attachments).toHaveLength(1);
  });
});

describe('the profile of a transaction', () => {
  const named = 'b4ca4238a0b923820dcc509a6f75849b';
  const transaction = (contexts: object = {}) =>
    rawItem('transaction', {
      transaction: '/cart',
      start_timestamp: FIXTURES_RECEIVED_AT_MS / 1000 - 1,
      timestamp: FIXTURES_RECEIVED_AT_MS / 1000,
      contexts: { trace: { trace_id: EVENT_ID, span_id: '1234567890abcdef' }, ...contexts },
    });
  const profile = (change: object = {}) =>
    rawItem('profile', {
      event_id: 'a4ca4238a0b923820dcc509a6f75849b',
      version: '1',
      platform: 'python',
      timestamp: '2026-11-21T10:00:00Z',
      transaction: { id: EVENT_ID, name: '/cart', trace_id: EVENT_ID },
      profile: {
        frames: [{ function: 'a' }],
        stacks: [[0]],
        samples: [
          { elapsed_since_start_ns: '0', thread_id: '1', stack_id: 0 },
          { elapsed_since_start_ns: '1000', thread_id: '1', stack_id: 0 },
        ],
      },
      ...change,
    });
  const idOf = (...items: RawItem[]) => digest(items).rows.transactions[0]?.profileId;

  test('is the one in its envelope, where it names none', () => {
    expect(idOf(transaction(), profile())).toBe('a4ca4238a0b923820dcc509a6f75849b');
    expect(idOf(profile(), transaction())).toBe('a4ca4238a0b923820dcc509a6f75849b');
  });

  test('is the one that it names', () => {
    expect(idOf(transaction({ profile: { profile_id: named } }), profile())).toBe(named);
  });

  test('is none where the profile was not stored', () => {
    expect(idOf(transaction(), profile({ version: '7' }))).toBeNull();
  });
});

describe('a crash dump', () => {
  const dump = rawItem('attachment', Buffer.from('MDMP'), {
    attachmentType: 'event.minidump',
    crash: { kind: 'unreadable', reason: 'It is too short' },
  });

  test('without an event makes one', () => {
    const result = digest([dump]);
    expect(result.events).toHaveLength(1);
    expect(result.events[0]).toMatchObject({ eventId: EVENT_ID, title: 'Minidump: Invalid Minidump' });
    expect(outcomes(result)).toEqual([
      ['error', 'accepted', ''],
      ['attachment', 'accepted', ''],
    ]);
  });

  test('beside an event is part of it', () => {
    const result = digest([dump, event]);
    expect(result.events).toHaveLength(1);
    expect(result.events[0]?.release).toBe('shop@1');
  });

  test('beside a transaction makes an error of its own', () => {
    const result = digest([rawItem('transaction', {}), dump]);
    expect(result.events).toHaveLength(1);
  });

  test('a report of Unreal that nobody read is refused', () => {
    expect(outcomes(digest([rawItem('unreal_report', Buffer.from('CR1'))]))).toEqual([
      ['error', 'invalid', 'invalid_unreal_report'],
    ]);
  });
});

const TYPES = [
  ...[
    'event',
    'security',
    'raw_security',
    'nel',
    'unreal_report',
    'transaction',
    'span',
    'log',
    'trace_metric',
  ],
  ...['statsd', 'session', 'sessions', 'check_in', 'feedback', 'user_report', 'attachment', 'replay_event'],
  ...[
    'replay_recording',
    'replay_video',
    'profile',
    'profile_chunk',
    'profile_chunk_ui',
    'otlp_traces',
    'otlp_logs',
    'otlp_metrics',
  ],
];

test('every type is stored', () => {
  expect(TYPES.filter((type) => !isStoredType(type))).toEqual([]);
});

test('whatever lies in an envelope, nothing is thrown, every item has an outcome, and again it is the same', () => {
  const payload = fc.oneof(
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    fc.json().map((text) => Buffer.from(text)),
    fc
      .jsonValue()
      .map((value) =>
        Buffer.from(JSON.stringify({ event_id: EVENT_ID, contexts: value, type: value, body: value })),
      ),
  );
  const item = fc.record({
    type: fc.constantFrom(...TYPES, 'unheard_of'),
    payload,
    contentType: fc.option(fc.string()),
    filename: fc.option(fc.string({ unit: 'binary' })),
    itemCount: fc.option(fc.nat()),
  });
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 6 }), (plan) => {
      const items = plan.map(({ type, payload: bytes, ...facts }, index) =>
        rawItem(type, bytes, { ...facts, itemId: String(index).padStart(32, '0') }),
      );
      const result = digest(items);
      expect(result.outcomes.length).toBeGreaterThanOrEqual(items.length);
      expect(digest(items)).toEqual(result);
    }),
    { numRuns: 300 },
  );
});
