import { invalid } from '#lib/errors.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/time.ts';

/** Half-open, milliseconds since the epoch. */
export type Range = { fromMs: number; toMs: number };

const BUCKETS_PREFERRED_MAX = 48;
/** Bounds the answer of one chart. */
const BUCKETS_MAX = 1_000;

const BUCKET_SIZES_MS: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 4, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 4, 7, 14, 30].map((days) => days * DAY_MS),
];

/** The smallest round size that gives at most 48 buckets; for usual ranges at least 24. */
export function chooseBucketMs(range: Range): number {
  const lengthMs = range.toMs - range.fromMs;
  return (
    BUCKET_SIZES_MS.find((size) => lengthMs / size <= BUCKETS_PREFERRED_MAX) ??
    Math.ceil(lengthMs / BUCKETS_PREFERRED_MAX / DAY_MS) * DAY_MS
  );
}

/** The range widened to whole buckets, so that every bucket covers a full stretch of its size. */
export function alignRange(range: Range, bucketMs: number): Range {
  return {
    fromMs: Math.floor(range.fromMs / bucketMs) * bucketMs,
    toMs: Math.ceil(range.toMs / bucketMs) * bucketMs,
  };
}

/**
 * The range itself, counted in buckets that begin at round times. One that ends now has its last bucket whole: what has just
 * happened counts, also by a clock that is a little ahead.
 */
export function inRoundBuckets(
  range: Range,
  bucketMs: number,
  nowMs: number,
): Range & { bucketsFromMs: number } {
  const whole = alignRange(range, bucketMs);
  return {
    fromMs: range.fromMs,
    toMs: range.toMs >= nowMs ? whole.toMs : range.toMs,
    bucketsFromMs: whole.fromMs,
  };
}

/** Throws Invalid when the range is empty or reversed, or has too many buckets. */
export function checkRange(range: Range, bucketMs?: number): void {
  const isTime = (ms: number) => Number.isSafeInteger(ms) && ms >= 0;
  if (!isTime(range.fromMs) || !isTime(range.toMs) || range.fromMs >= range.toMs) {
    throw invalid('The time range is empty: the start must be before the end', 'range');
  }
  if (bucketMs === undefined) return;
  if (!Number.isSafeInteger(bucketMs) || bucketMs < MINUTE_MS) {
    throw invalid('A bucket must be at least one minute', 'bucketMs');
  }
  if ((range.toMs - range.fromMs) / bucketMs > BUCKETS_MAX) {
    throw invalid(`The range has more than ${BUCKETS_MAX} buckets: choose larger ones`, 'bucketMs');
  }
}
