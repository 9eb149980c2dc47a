import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#lib/time.ts';
import { dateFormat } from './date-format.ts';

/** How long ago, as short as a list needs it: `now`, `45s`, `12m`, `3h`, `5d`, `8w`, `2y`. */
export function formatAge(atMs: number, nowMs: number): string {
  const age = Math.max(0, nowMs - atMs);
  if (age < 5 * SECOND_MS) return 'now';
  if (age < MINUTE_MS) return `${Math.floor(age / SECOND_MS)}s`;
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)}m`;
  if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)}h`;
  if (age < 28 * DAY_MS) return `${Math.floor(age / DAY_MS)}d`;
  if (age < 365 * DAY_MS) return `${Math.floor(age / (7 * DAY_MS))}w`;
  return `${Math.floor(age / (365 * DAY_MS))}y`;
}

/** How long ago, in words: `just now`, `45 seconds ago`, `1 minute ago`, `3 days ago`. */
export function formatAgo(atMs: number, nowMs: number): string {
  const age = Math.max(0, nowMs - atMs);
  if (age < 5 * SECOND_MS) return 'just now';
  if (age < MINUTE_MS) return ago(age / SECOND_MS, 'second');
  if (age < HOUR_MS) return ago(age / MINUTE_MS, 'minute');
  if (age < DAY_MS) return ago(age / HOUR_MS, 'hour');
  if (age < 28 * DAY_MS) return ago(age / DAY_MS, 'day');
  if (age < 365 * DAY_MS) return ago(age / (7 * DAY_MS), 'week');
  return ago(age / (365 * DAY_MS), 'year');
}

/** `Nov 21, 2026, 01:28:41 UTC`: exact, in the given IANA time zone. */
export function formatDateTime(atMs: number, timeZone: string): string {
  return dateFormat('dateTime', timeZone).format(atMs);
}

/** `01:28:41.123` in the given time zone. */
export function formatClock(atMs: number, timeZone: string): string {
  return dateFormat('clock', timeZone).format(atMs);
}

/** A bucket's span for people: `Nov 21, 14:00 – 15:00`, `Nov 21`, `Nov 20, 23:00 – Nov 21, 00:00`. */
export function formatSpan(fromMs: number, toMs: number, timeZone: string): string {
  if (toMs - fromMs === DAY_MS && formatPoint(fromMs, timeZone, 'time') === '00:00') {
    return formatPoint(fromMs, timeZone, 'day');
  }
  const fromDay = formatPoint(fromMs, timeZone, 'day');
  const toDay = formatPoint(toMs, timeZone, 'day');
  const toTime = formatPoint(toMs, timeZone, 'time');
  const end = fromDay === toDay ? toTime : `${toDay}, ${toTime}`;
  return `${fromDay}, ${formatPoint(fromMs, timeZone, 'time')} – ${end}`;
}

/** Two moments a person chose: `Nov 3, 10:00 – Nov 5, 12:00`. */
export function formatMoments(fromMs: number, toMs: number, timeZone: string): string {
  const moment = (ms: number) => `${formatPoint(ms, timeZone, 'day')}, ${formatPoint(ms, timeZone, 'time')}`;
  return `${moment(fromMs)} – ${moment(toMs)}`;
}

/** A tick of a time axis: the day (`Nov 21`) or the time (`14:00`). */
export function formatPoint(atMs: number, timeZone: string, unit: 'day' | 'time'): string {
  return dateFormat(unit, timeZone).format(atMs);
}

/** A length of time for people: `1 hour`, `6 hours`, `1 day`, `10 minutes`. */
export function formatDuration(durationMs: number): string {
  if (durationMs >= DAY_MS) return plural(durationMs / DAY_MS, 'day');
  if (durationMs >= HOUR_MS) return plural(durationMs / HOUR_MS, 'hour');
  if (durationMs >= MINUTE_MS) return plural(durationMs / MINUTE_MS, 'minute');
  return plural(durationMs / SECOND_MS, 'second');
}

function ago(amount: number, unit: string): string {
  return `${plural(Math.floor(amount), unit)} ago`;
}

function plural(amount: number, unit: string): string {
  const rounded = Math.round(amount * 10) / 10;
  return `${rounded} ${unit}${rounded === 1 ? '' : 's'}`;
}
