import type { Breadcrumb } from '#protocol/event.ts';
import { parseTimestamp, toMicroseconds } from '#protocol/timestamp.ts';
import type { FieldReader, Source } from './field-reader.ts';

/** The end of the year 9999. */
const SENT_AT_MAX_MS = 253_402_300_799_000;
const DRIFT_MIN_SECONDS = 55 * 60;
/** How far ahead of its arrival an event may be dated. */
const FUTURE_MAX_SECONDS = 60;
/** How old an event may be when it arrives. */
const PAST_MAX_SECONDS = 30 * 24 * 60 * 60;

export type ClockCorrection = {
  /** When the event happened, seconds since the epoch, after correction. */
  timestamp: number;
  /** To add to every other timestamp of the event. */
  shiftSeconds: number;
};

/**
 * Corrects the SDK's clock by the edge's. A clock that is off by 55 minutes or more, told by when the envelope was
 * sent, shifts all timestamps. An event that even then lies more than a minute ahead, or over 30 days back, moves to
 * when it was received, and the rest of its timestamps with it. Without a timestamp it happened when it was received.
 */
export function correctClock(
  reader: FieldReader,
  event: Source,
  clock: { sentAtMs: number | null; receivedAtMs: number },
): ClockCorrection {
  const receivedSeconds = clock.receivedAtMs / 1000;
  const sent = event.timestamp;
  const occurredSeconds = parseTimestamp(sent);
  if (occurredSeconds === null && sent !== undefined && sent !== null) {
    reader.invalid('', 'timestamp', 'RFC 3339 or seconds since 1970', sent);
  }
  const driftSeconds = driftOf(reader, clock);
  if (occurredSeconds === null) return { timestamp: receivedSeconds, shiftSeconds: driftSeconds };
  const shifted = occurredSeconds + driftSeconds;
  const problem = problemOf(shifted, receivedSeconds);
  if (problem === null) return { timestamp: toMicroseconds(shifted), shiftSeconds: driftSeconds };
  reader.report(problem.type, '', 'timestamp', problem.reason, sent);
  return { timestamp: receivedSeconds, shiftSeconds: receivedSeconds - occurredSeconds };
}

function driftOf(reader: FieldReader, clock: { sentAtMs: number | null; receivedAtMs: number }): number {
  if (clock.sentAtMs === null || !(clock.sentAtMs >= 0 && clock.sentAtMs <= SENT_AT_MAX_MS)) return 0;
  const driftSeconds = (clock.receivedAtMs - clock.sentAtMs) / 1000;
  if (Math.abs(driftSeconds) < DRIFT_MIN_SECONDS) return 0;
  const direction = driftSeconds > 0 ? 'behind' : 'ahead';
  const reason = `the sender's clock is ${Math.abs(Math.round(driftSeconds))} s ${direction}; all timestamps were adjusted`;
  reader.report('clock_drift', '', 'timestamp', reason, new Date(clock.sentAtMs).toISOString());
  return driftSeconds;
}

function problemOf(seconds: number, receivedSeconds: number): { type: string; reason: string } | null {
  if (seconds > receivedSeconds + FUTURE_MAX_SECONDS) {
    return {
      type: 'future_timestamp',
      reason: 'more than 60 s in the future; changed to the time it was received',
    };
  }
  if (seconds < receivedSeconds - PAST_MAX_SECONDS) {
    return { type: 'past_timestamp', reason: 'more than 30 days old; changed to the time it was received' };
  }
  return null;
}

export function shiftBreadcrumbs(
  breadcrumbs: { values: readonly Breadcrumb[] } | undefined,
  shiftSeconds: number,
): void {
  if (breadcrumbs === undefined || shiftSeconds === 0) return;
  for (const breadcrumb of breadcrumbs.values) {
    if (typeof breadcrumb.timestamp === 'number') {
      breadcrumb.timestamp = toMicroseconds(breadcrumb.timestamp + shiftSeconds);
    }
  }
}
