import { createHash } from 'node:crypto';
import { SECOND_MS } from '#lib/time.ts';

/** From a failure to the check that is to confirm it, unless the schedule has one sooner. */
export const RETRY_AFTER_MS = 15 * SECOND_MS;

/**
 * The first moment after `afterMs` at which a monitor is to be checked. Each has its own place in the interval, made from its
 * ID, so that monitors are spread over it and keep their place whatever was missed.
 */
export function nextSlot(monitorId: number, intervalSeconds: number, afterMs: number): number {
  const intervalMs = intervalSeconds * SECOND_MS;
  const offsetMs = placeOf(monitorId) % intervalMs;
  return Math.floor((afterMs - offsetMs) / intervalMs) * intervalMs + offsetMs + intervalMs;
}

function placeOf(monitorId: number): number {
  return createHash('sha256').update(`uptime ${monitorId}`).digest().readUInt32BE(0);
}
