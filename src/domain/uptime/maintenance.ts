import { DAY_MS, MINUTE_MS, WEEK_MS } from '#lib/time.ts';
import type { MaintenanceWindow } from './monitor.ts';

/** Whether a moment (milliseconds since the epoch) lies in one of the windows; their ends do not. */
export const isInMaintenance = (windows: readonly MaintenanceWindow[], atMs: number): boolean =>
  windows.some((window) =>
    window.kind === 'once' ? atMs >= window.fromMs && atMs < window.toMs : isInWeekly(window, atMs),
  );

/** 1 January 1970 was a Thursday. */
const FIRST_SUNDAY_MS = 3 * DAY_MS;

function isInWeekly(
  { weekday, startMinute, minutes }: MaintenanceWindow & { kind: 'weekly' },
  atMs: number,
): boolean {
  const startMs = FIRST_SUNDAY_MS + weekday * DAY_MS + startMinute * MINUTE_MS;
  const sinceStartMs = (((atMs - startMs) % WEEK_MS) + WEEK_MS) % WEEK_MS;
  return sinceStartMs < minutes * MINUTE_MS;
}
