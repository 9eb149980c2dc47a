import { parseTimestamp } from '#protocol/timestamp.ts';

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
