import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '#lib/time.ts';
import { alignRange, checkRange, chooseBucketMs, inRoundBuckets } from './time-buckets.ts';

const NOW_MS = Date.UTC(2026, 3, 5, 10, 17, 3);
const last = (ms: number) => ({ fromMs: NOW_MS - ms, toMs: NOW_MS });

test.each([
  ['1 hour', HOUR_MS],
  ['6 hours', 6 * HOUR_MS],
  ['24 hours', DAY_MS],
  ['7 days', 7 * DAY_MS],
  ['14 days', 14 * DAY_MS],
  ['30 days', 30 * DAY_MS],
  ['90 days', 90 * DAY_MS],
])('a range of %s has 24 to 48 buckets', (_, lengthMs) => {
  const buckets = lengthMs / chooseBucketMs(last(lengthMs));
  expect(buckets).toBeGreaterThanOrEqual(24);
  expect(buckets).toBeLessThanOrEqual(48);
});

test('no range, however long, has more than 48 buckets', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 * DAY_MS }), (lengthMs) => {
      expect(lengthMs / chooseBucketMs(last(lengthMs))).toBeLessThanOrEqual(48);
    }),
  );
});

test('an aligned range covers the range it came from with whole buckets', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 90 * DAY_MS }), (lengthMs) => {
      const range = last(lengthMs);
      const bucketMs = chooseBucketMs(range);
      const aligned = alignRange(range, bucketMs);
      expect(aligned.fromMs).toBeLessThanOrEqual(range.fromMs);
      expect(aligned.toMs).toBeGreaterThanOrEqual(range.toMs);
      expect(aligned.fromMs % bucketMs).toBe(0);
      expect(aligned.toMs % bucketMs).toBe(0);
    }),
  );
});

test('empty, reversed and unreal ranges are invalid', () => {
  for (const range of [
    { fromMs: 5, toMs: 5 },
    { fromMs: 6, toMs: 5 },
    { fromMs: -1, toMs: 5 },
    { fromMs: Number.NaN, toMs: 5 },
    { fromMs: 0, toMs: Number.POSITIVE_INFINITY },
  ]) {
    expect(() => checkRange(range)).toThrow(expect.objectContaining({ code: 'invalid' }));
  }
});

test('a range may not be cut into more than 1,000 buckets', () => {
  expect(() => checkRange(last(1_000 * HOUR_MS), HOUR_MS)).not.toThrow();
  expect(() => checkRange(last(1_001 * HOUR_MS), HOUR_MS)).toThrow(/1000 buckets/);
  expect(() => checkRange(last(HOUR_MS), 0)).toThrow(/one minute/);
});

test('buckets begin at round times, and the range stays what it was but for the one that is being filled', () => {
  const bucketsFromMs = Date.UTC(2026, 3, 4, 10);
  expect(inRoundBuckets(last(DAY_MS), HOUR_MS, NOW_MS)).toEqual({
    fromMs: NOW_MS - DAY_MS,
    toMs: Date.UTC(2026, 3, 5, 11),
    bucketsFromMs,
  });
  const past = { fromMs: NOW_MS - DAY_MS, toMs: NOW_MS - HOUR_MS };
  expect(inRoundBuckets(past, HOUR_MS, NOW_MS)).toEqual({ ...past, bucketsFromMs });
});
