import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#lib/time.ts';

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

/** How long until, in words: `now`, `in 45 seconds`, `in 1 minute`, `in 3 days`. */
export function formatUntil(atMs: number, nowMs: number): string {
  const left = atMs - nowMs;
  if (left < 5 * SECOND_MS) return 'now';
  const unit = left < MINUTE_MS ? SECOND_MS : left < HOUR_MS ? MINUTE_MS : left < DAY_MS ? HOUR_MS : DAY_MS;
  return `in ${formatDuration(Math.floor(left / unit) * unit)}`;
}

/** `Nov 21, 2026, 01:28:41 UTC`: exact, in the given IANA time zone. */
export function formatDateTime(atMs: number, timeZone: string): string {
  return dateFormat('dateTime', timeZone).format(atMs);
}

/** `Nov 21, 2026, 01:28:41`, where something else names the time zone. */
export function formatTableTime(atMs: number, timeZone: string): string {
  return dateFormat('tableTime', timeZone).format(atMs);
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

/** Two moments a person chose: `Nov 3, 10:00 – Nov 5, 12:00`, with the years unless both are in this one. */
export function formatMoments(fromMs: number, toMs: number, timeZone: string, nowMs: number): string {
  const yearOf = (ms: number) => new Date(ms).getUTCFullYear();
  const hasYear = [fromMs, toMs].some((ms) => yearOf(ms) !== yearOf(nowMs));
  const moment = (ms: number) =>
    `${dateFormat(hasYear ? 'date' : 'day', timeZone).format(ms)}, ${formatPoint(ms, timeZone, 'time')}`;
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

const DATE_TIME = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
} as const satisfies Intl.DateTimeFormatOptions;

/** The shapes in which the app writes moments; all in English, in a given zone. */
const SHAPES = {
  dateTime: { ...DATE_TIME, timeZoneName: 'short' },
  tableTime: DATE_TIME,
  clock: {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
  },
  day: { month: 'short', day: 'numeric' },
  date: { year: 'numeric', month: 'short', day: 'numeric' },
  time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  offset: { timeZoneName: 'longOffset' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const FORMATS_MAX = 200;
const formats = new Map<string, Intl.DateTimeFormat>();

/** To make a format costs a hundred times as much as to use it, and a list has a hundred moments. */
export function dateFormat(shape: keyof typeof SHAPES, timeZone: string): Intl.DateTimeFormat {
  const key = `${shape} ${timeZone}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', { timeZone, ...SHAPES[shape] });
  if (formats.size >= FORMATS_MAX) formats.clear();
  formats.set(key, made);
  return made;
}

/** `2026-01-31T12:00` in the reader's zone, as an input of the type `datetime-local` takes it. */
export function localDateTime(ms: number): string {
  const date = new Date(ms);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The moment that such an input names; null when it holds none. */
export function parseLocalDateTime(text: string): number | null {
  const ms = new Date(text).getTime();
  return Number.isNaN(ms) ? null : ms;
}

/** `Jan 31, 2026`, in UTC. */
export const formatUtcDay = (ms: number): string => dateFormat('date', 'UTC').format(ms);
