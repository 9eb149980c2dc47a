import { firstValue, type SearchParams, type TimeRange } from '#app/url-state.ts';
import { DAY_MS, WEEK_MS } from '#lib/time.ts';

/** The first Monday of the epoch. */
const FIRST_MONDAY_MS = 4 * DAY_MS;
const WEEKS_OFFERED = 4;

type WeekChoice = {
  /** As it stands in the address; null for the last seven days. */
  week: string | null;
  /** When it ends, in milliseconds since the epoch; null for now. */
  endsAtMs: number | null;
};

/** The seven days up to now, or a whole week by the day of its Monday (UTC). Anything else is the seven days. */
export function parseWeek(params: SearchParams, nowMs: number): WeekChoice {
  const week = firstValue(params, 'week');
  const startMs =
    week !== null && /^\d{4}-\d\d-\d\d$/.test(week) ? Date.parse(`${week}T00:00:00Z`) : Number.NaN;
  const isMonday = (startMs - FIRST_MONDAY_MS) % WEEK_MS === 0;
  return isMonday && startMs < nowMs
    ? { week, endsAtMs: Math.min(nowMs, startMs + WEEK_MS) }
    : { week: null, endsAtMs: null };
}

/** The shown days as other pages take them: those of a week stay the same tomorrow. */
export const weekTime = (
  endsAtMs: WeekChoice['endsAtMs'],
  range: { fromMs: number; toMs: number },
): TimeRange => (endsAtMs === null ? { kind: 'last', period: '7d' } : { kind: 'between', ...range });

/** Mondays of the weeks that are over, the newest first. */
export function weeksBefore(nowMs: number): readonly string[] {
  const monday = FIRST_MONDAY_MS + Math.floor((nowMs - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS;
  return Array.from({ length: WEEKS_OFFERED }, (_, index) =>
    new Date(monday - (index + 1) * WEEK_MS).toISOString().slice(0, 10),
  );
}

/** `Nov 16 – 22`, `Nov 30 – Dec 6`: the days of a week. */
export function weekLabel(monday: string): string {
  const startMs = Date.parse(`${monday}T00:00:00Z`);
  const [from, to] = [startMs, startMs + 6 * DAY_MS].map((at) => DAY.format(at)) as [string, string];
  const [month] = from.split(' ');
  return `${from} – ${to.startsWith(`${month} `) ? to.slice(`${month} `.length) : to}`;
}

const DAY = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
