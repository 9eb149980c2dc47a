import { HOUR_MS } from '#lib/time.ts';
import type { Archive } from './issue.ts';

const HOURS_PER_DAY = 24;
const DAYS = 7;
/** Hours with at most as many events are never unusual. */
const EVENTS_FLOOR = 10;
/** How far an hour strays by chance: three times the spread that counts of independent events have. */
const SPREADS = 3;

/** Hours that are needed before the one that is forecast. */
export const FORECAST_HOURS = DAYS * HOURS_PER_DAY;

export type HourHistory = {
  /** Events of the whole hours before, oldest first. */
  hourly: readonly number[];
  /** How many of them the issue had been known in. */
  knownHours: number;
  /** Events of the hour itself from before the issue was archived. */
  startedWith: number;
};

/**
 * Events that an hour of an archived issue may have; it escalates with one more. Expected is the median of the same
 * hour over the last 7 days, of all its hours when it is younger than a day, and never less than the hour had when it
 * was archived. Chance is allowed for: else what goes on as ever would pass its median every other hour.
 */
export function forecastHour({ hourly, knownHours, startedWith }: HourHistory): number {
  const known = knownHours > 0 ? hourly.slice(-knownHours) : [];
  const sameHours: number[] = [];
  for (let day = 1; day <= DAYS; day++) {
    const events = known[known.length - day * HOURS_PER_DAY];
    if (events !== undefined) sameHours.push(events);
  }
  const expected = Math.max(median(sameHours.length > 0 ? sameHours : known), startedWith);
  return Math.max(EVENTS_FLOOR, Math.floor(expected + SPREADS * Math.sqrt(expected)));
}

/** The last bucket is the hour itself. Its events count from the moment at which the issue was archived. */
export function lookAtHour(
  issue: { archive: Archive; firstSeen: number; timesSeen: number },
  buckets: readonly number[],
  hourMs: number,
): { events: number; expected: number } {
  const { archivedAt, timesSeen } = issue.archive;
  const inHour = buckets.at(-1) ?? 0;
  const sinceArchived = Math.max(0, issue.timesSeen - timesSeen);
  const events = archivedAt < hourMs ? inHour : Math.min(inHour, sinceArchived);
  const knownHours = Math.min(FORECAST_HOURS, Math.max(0, Math.ceil((hourMs - issue.firstSeen) / HOUR_MS)));
  const expected = forecastHour({ hourly: buckets.slice(0, -1), knownHours, startedWith: inHour - events });
  return { events, expected };
}

/** 0 for none. */
function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1] ?? 0, sorted[Math.floor(middle)] ?? 0];
  return (low + high) / 2;
}
