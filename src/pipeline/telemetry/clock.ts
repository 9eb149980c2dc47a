import { parseTimestamp } from '#protocol/timestamp.ts';
import type { ItemContext } from '../item.ts';
import { correctClock } from '../normalize/clock.ts';
import { FieldReader } from '../normalize/field-reader.ts';

/** Says on a row why its timestamps are not those that were sent. */
export const TIMESTAMP_PROBLEM = 'errata.timestamp_problem';

export type Placement = {
  /** To add to every timestamp of the element, microseconds. */
  shiftUs: number;
  /** `clock_drift`, `future_timestamp` or `past_timestamp`; null when nothing had to be moved. */
  problem: string | null;
};

/** From here on a number of seconds would be read as milliseconds. */
const FAR_FUTURE_US = 100_000_000_000 * 1_000_000;

/**
 * The clock rules of events for an element that came by itself, by its own moment (microseconds since the epoch): a
 * sender's clock that is off by 55 minutes or more shifts it; what then lies more than 60 s ahead or over 30 days back
 * moves to when it was received.
 */
export function placeInTime(
  momentUs: number,
  context: Pick<ItemContext, 'sentAtMs' | 'receivedAtMs'>,
): Placement {
  if (momentUs >= FAR_FUTURE_US) {
    return { shiftUs: context.receivedAtMs * 1_000 - momentUs, problem: 'future_timestamp' };
  }
  const reader = new FieldReader(false);
  const { shiftSeconds } = correctClock(reader, { timestamp: momentUs / 1_000_000 }, context);
  return {
    shiftUs: Math.round(shiftSeconds * 1_000_000),
    problem: reader.problems.at(-1)?.type ?? null,
  };
}

/** RFC 3339 or seconds as microseconds since the epoch; null when it is neither. */
export function microsecondsOf(value: unknown): number | null {
  const seconds = parseTimestamp(value);
  return seconds === null ? null : Math.round(seconds * 1_000_000);
}

const NANOSECONDS = /^\d{1,20}$/;
/** The end of the year 9999. */
const NANOSECONDS_MAX = 253_402_300_799_999_999_999n;

/** Nanoseconds as OTLP writes them (text, number, or bigint) as microseconds; null when absent, zero or unreadable. */
export function microsecondsOfNanos(value: unknown): number | null {
  if (typeof value === 'number') {
    if (!(value >= 1 && value <= Number(NANOSECONDS_MAX))) return null;
    return Math.floor(value / 1_000);
  }
  if (typeof value !== 'string' || !NANOSECONDS.test(value)) return null;
  const nanoseconds = BigInt(value);
  if (nanoseconds === 0n || nanoseconds > NANOSECONDS_MAX) return null;
  return Number(nanoseconds / 1_000n);
}
