import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_INGEST_SETTINGS, NO_FILTERS } from '#protocol/ingest-settings.ts';
import { FIXTURES_RECEIVED_AT_MS, itemContext, rawItem } from '../fixtures/digest-fixture.ts';
import { compileIngestRules } from '../ingest-rules.ts';
import type { ItemContext, RawItem } from '../item.ts';
import { digestProfile, digestProfileChunk } from './digest-profile.ts';
import { ProfileSkimmer, type ProfileSummary, writeSummary } from './profile-skimmer.ts';

const SECONDS = FIXTURES_RECEIVED_AT_MS / 1000;
const skim = (bytes: Uint8Array, size = bytes.length || 1): ProfileSummary | null => {
  const skimmer = new ProfileSkimmer();
  for (let at = 0; at < bytes.length; at += size) skimmer.push(bytes.subarray(at, at + size));
  return skimmer.end();
};
const json = (value: unknown) => Buffer.from(JSON.stringify(value));

describe('skimming a profile', () => {
  test('keeps small fields and the times of samples, and skips the rest', () => {
    const summary = skim(
      json({
        platform: 'node',
        profile: {
          frames: [{ timestamp: 5, function: '"samples":[{"timestamp":1}]' }],
          samples: [
            { timestamp: 100.5, stack_id: 0 },
            { stack_id: 1, timestamp: 101.25 },
            { stack_id: 2, elapsed_since_start_ns: '7' },
          ],
        },
        measurements: { cpu: { values: [{ timestamp: 1 }] } },
        large: 'x'.repeat(20_000),
        transaction: { name: 'a \\" , } ] b', id: 'c' },
      }),
    );
    expect(summary?.samples).toEqual({ count: 3, first: 100.5, last: 7 });
    expect(summary?.fields.platform).toBe('node');
    expect(summary?.fields.transaction).toEqual({ name: 'a \\" , } ] b', id: 'c' });
    expect(summary?.fields).not.toHaveProperty('large');
  });

  test('agrees with a whole parser, however the bytes are cut', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 6 }), { maxKeys: 6 });
    fc.assert(
      fc.property(
        object,
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 0, max: 3 }),
        (value, size, indent) => {
          const bytes = Buffer.from(JSON.stringify(value, null, indent));
          const parsed = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
          const plain = Object.keys(parsed).every(
            (key) => /^[^"\\\p{Cc}]*$/u.test(key) && key !== '__proto__',
          );
          const summary = skim(bytes, size);
          expect(summary).not.toBeNull();
          if (plain && bytes.length < 10_000) expect(summary?.fields).toEqual(parsed);
        },
      ),
    );
  });

  test.each(['', '[]', '"x"', '{', '{"a":1', '{"a":}x', '{}{}', '{"a":1]', 'null', '{"a":nope}'])(
    'finds that %j is no profile',
    (text) => {
      expect(skim(Buffer.from(text))).toBeNull();
    },
  );

  test('never fails, and holds little of what is hostile', () => {
    fc.assert(fc.property(fc.uint8Array(), (noise) => void skim(noise)));
    expect(skim(Buffer.from(`{"a":${'['.repeat(5_000)}`))).toBeNull();
    const many = `{${Array.from({ length: 100_000 }, (_, index) => `"k${index}":"${'x'.repeat(20)}"`).join(',')}}`;
    expect(Object.keys(skim(Buffer.from(many))?.fields ?? {}).length).toBeLessThan(20_000);
  });
});

const profile = (fields: Record<string, unknown> = {}) => ({
  version: '1',
  event_id: 'EE6851ADF6014DE8AF8CA517217AC481',
  platform: 'node',
  timestamp: new Date(FIXTURES_RECEIVED_AT_MS - 5_000).toISOString(),
  release: 'shop@1.0.0',
  environment: 'production',
  device: { architecture: 'arm64' },
  transaction: {
    name: 'GET /cart',
    id: '8c3e0bc0518540b3ad1aa70d08f1ca7a',
    trace_id: '4b45d297ef404fb89e8fdf418c8f38a2',
    active_thread_id: '0',
  },
  profile: {
    samples: [
      { stack_id: 0, thread_id: '0', elapsed_since_start_ns: '10000000' },
      { stack_id: 0, thread_id: '0', elapsed_since_start_ns: '1250000000' },
    ],
    stacks: [[0]],
    frames: [{ function: 'main' }],
  },
  ...fields,
});

describe('the profile of a transaction', () => {
  const digest = (payload: unknown, item: Partial<RawItem> = {}) =>
    digestProfile(rawItem('profile', payload, item), itemContext());
  const reason = (fields: Record<string, unknown>) => digest(profile(fields)).outcomes[0]?.reason;

  test('is listed by its head and kept as it was sent', () => {
    const result = digest(profile());
    expect(result.rows.profiles?.[0]).toMatchObject({
      profileId: 'ee6851adf6014de8af8ca517217ac481',
      profilerId: null,
      kind: 'profile',
      platform: 'node',
      occurredAt: FIXTURES_RECEIVED_AT_MS - 5_000,
      durationMs: 1_250,
      transactionName: 'GET /cart',
      traceId: '4b45d297ef404fb89e8fdf418c8f38a2',
      release: 'shop@1.0.0',
      environment: 'production',
    });
    expect(result.blobs[0]?.bytes).toEqual(json(profile()));
  });

  test('in a blob is known by what was skimmed of it', () => {
    const blob = { key: '2026-09-21/2/abc', bytes: 30_000_000 };
    const head = writeSummary(skim(json(profile())));
    const result = digest(new Uint8Array(), { blob, head });
    expect(result.blobs).toEqual([]);
    expect(result.rows.profiles?.[0]).toMatchObject({
      transactionName: 'GET /cart',
      bytes: 30_000_000,
      blobKey: blob.key,
    });
    expect(digest(new Uint8Array(), { blob, head: writeSummary(null) }).outcomes[0]?.reason).toBe(
      'profiling_invalid_json',
    );
  });

  test('may be one that Android sent before', () => {
    const android = {
      platform: 'android',
      profile_id: 'ee6851adf6014de8af8ca517217ac481',
      transaction_name: 'MainActivity',
      transaction_id: '8c3e0bc0518540b3ad1aa70d08f1ca7a',
      trace_id: '4b45d297ef404fb89e8fdf418c8f38a2',
      duration_ns: '6634284250',
      sampled_profile: 'x'.repeat(100_000),
    };
    expect(digest(android).rows.profiles?.[0]).toMatchObject({
      platform: 'android',
      transactionName: 'MainActivity',
      durationMs: 6_634.28425,
    });
  });

  test.each([
    [{ event_id: 'x' }, 'profiling_invalid_json'],
    [{ platform: '' }, 'profiling_invalid_json'],
    [{ version: '3' }, 'profiling_platform_not_supported'],
    [{ transaction: undefined }, 'profiling_no_transaction_associated'],
    [{ profile: { samples: [] } }, 'profiling_not_enough_samples'],
    [{ profile: { samples: [{ elapsed_since_start_ns: 1 }] } }, 'profiling_not_enough_samples'],
    [
      { profile: { samples: [{ elapsed_since_start_ns: 1 }, { elapsed_since_start_ns: 31e9 }] } },
      'profiling_duration_is_too_long',
    ],
  ])('is refused with %j', (fields, expected) => {
    expect(reason(fields)).toBe(expected);
  });
});

describe('a piece of a long profile', () => {
  const chunk = (fields: Record<string, unknown> = {}) => ({
    version: '2',
    profiler_id: '4d229f310bf541d2bd5a5a1f13a4d2ab',
    chunk_id: '0a8b09c2f2a0457b9a2e2c4ec1fe0b4a',
    platform: 'python',
    release: 'shop@1.0.0',
    environment: 'production',
    profile: {
      samples: [
        { timestamp: SECONDS - 20, stack_id: 0, thread_id: '1' },
        { timestamp: SECONDS - 7.5, stack_id: 0, thread_id: '1' },
      ],
      stacks: [[0]],
      frames: [{ function: 'main' }],
    },
    ...fields,
  });
  const digest = (payload: unknown, item: Partial<RawItem> = {}, context: Partial<ItemContext> = {}) =>
    digestProfileChunk(rawItem('profile_chunk', payload, item), itemContext(context));

  test('has the times of its samples', () => {
    expect(digest(chunk()).rows.profiles?.[0]).toMatchObject({
      profileId: '0a8b09c2f2a0457b9a2e2c4ec1fe0b4a',
      profilerId: '4d229f310bf541d2bd5a5a1f13a4d2ab',
      kind: 'profile_chunk',
      platform: 'python',
      occurredAt: FIXTURES_RECEIVED_AT_MS - 20_000,
      durationMs: 12_500,
      release: 'shop@1.0.0',
    });
  });

  test('has the platform of its header when it says none', () => {
    expect(digest(chunk({ platform: undefined }), { platform: 'cocoa' }).rows.profiles?.[0]?.platform).toBe(
      'cocoa',
    );
  });

  test.each([
    [{ profiler_id: undefined }, 'profiling_invalid_json'],
    [{ chunk_id: 'x' }, 'profiling_invalid_json'],
    [{ version: '1' }, 'profiling_platform_not_supported'],
    [{ profile: { samples: [] } }, 'profiling_not_enough_samples'],
  ])('is refused with %j', (fields, expected) => {
    expect(digest(chunk(fields)).outcomes[0]).toMatchObject({ category: 'profile_chunk', reason: expected });
  });

  test('inbound filters hold', () => {
    const rules = compileIngestRules({
      ...DEFAULT_INGEST_SETTINGS,
      filters: { ...NO_FILTERS, releases: ['shop@*'] },
    });
    expect(digest(chunk(), {}, { rules }).outcomes[0]?.reason).toBe('release-version');
  });

  test('whatever is sent, there is exactly one outcome', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys({ ...chunk(), ...profile() })),
        fc.jsonValue(),
        (name, value) => {
          expect(digest(chunk({ [name]: value })).outcomes).toHaveLength(1);
          expect(
            digestProfile(rawItem('profile', profile({ [name]: value })), itemContext()).outcomes,
          ).toHaveLength(1);
        },
      ),
    );
  });
});

test.each([{ toString: 'no' }, [], null, 'two', 2.5])(
  'a version of %j is no version, and no failure',
  (version) => {
    const chunk = {
      profiler_id: 'ab'.repeat(16),
      chunk_id: 'cd'.repeat(16),
      platform: 'node',
      version,
      profile: { samples: [{ timestamp: SECONDS }] },
    };
    expect(digestProfileChunk(rawItem('profile_chunk', chunk), itemContext()).outcomes).toMatchObject([
      { outcome: 'invalid', reason: 'profiling_platform_not_supported' },
    ]);
  },
);
