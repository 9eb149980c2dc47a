import { parseTimestamp } from '#protocol/timestamp.ts';
import type { ItemContext } from '../item.ts';
import { correctClock } from '../normalize/clock.ts';
import { FieldReader } from '../normalize/field-reader.ts';

const PAST_MAX_MS = 5 * 24 * 60 * 60 * 1000;
const FUTURE_MAX_MS = 60 * 1000;

type Clock = Pick<ItemContext, 'sentAtMs' | 'receivedAtMs'>;

/** Milliseconds to add to what the sender's clock says; 0 unless it is off by 55 minutes or more. */
export function clockDriftMs(clock: Clock): number {
  // Without a timestamp of its own, an event is shifted by the drift and by nothing else.
  return Math.round(correctClock(new FieldReader(false), {}, clock).shiftSeconds * 1000);
}

/** RFC 3339 or seconds as milliseconds since the epoch; null when it is neither. */
export function millisecondsOf(value: unknown): number | null {
  const seconds = parseTimestamp(value);
  return seconds === null ? null : Math.round(seconds * 1000);
}

/**
 * Why a session of this moment (milliseconds since the epoch, after correction) is not taken; null when it is: not over
 * five days old, not more than a minute ahead. Unlike events, sessions are not moved: they would be counted on a wrong day.
 */
export function problemOfSessionTime(
  atMs: number,
  clock: Clock,
): 'past_timestamp' | 'future_timestamp' | null {
  if (clock.receivedAtMs - atMs > PAST_MAX_MS) return 'past_timestamp';
  return atMs - clock.receivedAtMs > FUTURE_MAX_MS ? 'future_timestamp' : null;
}
