import { Cron } from 'croner';
import { BoundedCache } from '#lib/bounded-cache.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#lib/time.ts';
import type { MonitorSchedule } from '#protocol/monitor-config.ts';
import { addDays, addMonths, isTimeZone } from './zoned-time.ts';

/** When a job runs. Times are milliseconds since the epoch. */
export type RunTimes = {
  /** The run after this moment; for an interval, the one after a run at this moment. null when it never runs again. */
  next(afterMs: number): number | null;
  /** The run at this moment or the last before it; null for an interval, which depends on the run before. */
  latest(atMs: number): number | null;
};

/** Schedules kept parsed: as many as monitors of a large installation. */
const SCHEDULES_MAX = 20_000;
const opened = new BoundedCache<RunTimes>(SCHEDULES_MAX);

/** Throws Error with words for people when the schedule or the zone cannot be read. */
export function openRunTimes(schedule: MonitorSchedule, zone: string): RunTimes {
  return opened.getOrCompute(JSON.stringify([schedule, zone]), () => {
    if (!isTimeZone(zone))
      throw new Error(`"${zone}" is not a time zone: use a name such as Europe/Vienna or UTC`);
    return schedule.type === 'crontab' ? openCrontab(schedule.value, zone) : openInterval(schedule, zone);
  });
}

/** Why the schedule cannot be used, in words for people; null when it can. */
export function problemOfSchedule(schedule: MonitorSchedule, zone: string): string | null {
  try {
    const isDue = openRunTimes(schedule, zone).next(Date.UTC(2026, 0, 1)) !== null;
    return isDue ? null : 'This schedule never runs: check its day and month';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A run that begins so little before its time is that run: clocks differ. */
export const EARLY_MS_MAX = 30_000;

/** The run that one which begins now is: the next when it is little early, measured by what comes after it. */
export function runOf(times: RunTimes, startedAt: number): number | null {
  const latest = times.latest(startedAt);
  if (latest === null || latest === startedAt) return latest;
  const next = times.next(startedAt);
  return next !== null && isLittleEarly(times, startedAt, next) ? next : latest;
}

/** Whether what begins now is the next run of a crontab, a little early. An interval counts from the run before. */
export function isLittleEarly(times: RunTimes, startedAt: number, next: number): boolean {
  if (next - startedAt > EARLY_MS_MAX || times.latest(startedAt) === null) return false;
  const second = times.next(next);
  return second !== null && next - startedAt <= (second - next) / 4;
}

/** The next so many runs after a moment. */
export function nextRuns(times: RunTimes, afterMs: number, count: number): readonly number[] {
  const runs: number[] = [];
  for (let at = times.next(afterMs); at !== null && runs.length < count; at = times.next(at)) runs.push(at);
  return runs;
}

const NICKNAMES = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];

function openCrontab(value: string, zone: string): RunTimes {
  const pattern = value.trim().replaceAll(/\s+/g, ' ');
  if (pattern.startsWith('@')) {
    if (!NICKNAMES.includes(pattern.toLowerCase())) {
      throw new Error(`"${pattern}" is not supported: use ${NICKNAMES.join(', ')}, or five fields`);
    }
  } else if (pattern.split(' ').length !== 5) {
    throw new Error(
      'A crontab schedule has five fields: minute, hour, day of month, month, and day of week, such as 0 3 * * *',
    );
  }
  let cron: Cron;
  try {
    // Runs at fixed times keep them over a change of the clocks and run once, the others go on, as in Vixie cron.
    cron = new Cron(pattern, {
      timezone: zone,
      mode: pattern.startsWith('@') ? 'auto' : '5-part',
      fixedTimeRule: 'no-wildcard',
    });
  } catch (error) {
    throw new Error(wordsOf(error));
  }
  let known = { afterMs: Number.NaN, next: null as number | null };
  return {
    next(afterMs) {
      // Many monitors have the same schedule, and ask about the same run.
      if (known.afterMs !== afterMs) {
        known = { afterMs, next: cron.nextRun(new Date(afterMs))?.getTime() ?? null };
      }
      return known.next;
    },
    // What the library finds before a moment leaves out the moment itself; runs begin with whole seconds.
    latest: (atMs) =>
      cron.previousRuns(1, new Date(Math.floor(atMs / SECOND_MS) * SECOND_MS + 1))[0]?.getTime() ?? null,
  };
}

/** `CronPattern: Invalid value for minute: 61` → `Invalid value for minute: 61`. */
const wordsOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/^[A-Za-z]+: /, '');

/** Ten years; a longer interval is a mistake. */
const INTERVAL_MINUTES_MAX = 10 * 366 * 24 * 60;
const MINUTES = { minute: 1, hour: 60, day: 1_440, week: 10_080, month: 43_200, year: 525_600 } as const;

function openInterval(
  { value, unit }: Extract<MonitorSchedule, { type: 'interval' }>,
  zone: string,
): RunTimes {
  if (!Number.isInteger(value) || value < 1 || value * MINUTES[unit] > INTERVAL_MINUTES_MAX) {
    throw new Error('An interval is a whole number from 1 on, of at most ten years');
  }
  const add: Record<typeof unit, (atMs: number) => number> = {
    minute: (atMs) => atMs + value * MINUTE_MS,
    hour: (atMs) => atMs + value * HOUR_MS,
    day: (atMs) => addDays(atMs, value, zone),
    week: (atMs) => addDays(atMs, 7 * value, zone),
    month: (atMs) => addMonths(atMs, value, zone),
    year: (atMs) => addMonths(atMs, 12 * value, zone),
  };
  return { next: add[unit], latest: () => null };
}
