import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/time.ts';
import { dateFormat } from './format-time.ts';

const STEPS_MS = [
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  DAY_MS,
  2 * DAY_MS,
  3 * DAY_MS,
  5 * DAY_MS,
  7 * DAY_MS,
  14 * DAY_MS,
  30 * DAY_MS,
] as const;

export type TimeTicks = { ticks: readonly number[]; unit: 'day' | 'time' };

/** Round local times within the range, oldest first, at most `count` of them. */
export function timeTicks(
  range: { fromMs: number; toMs: number },
  timeZone: string,
  count: number,
): TimeTicks {
  const span = range.toMs - range.fromMs;
  const step = STEPS_MS.find((each) => span / each <= count) ?? Math.ceil(span / count / DAY_MS) * DAY_MS;
  const offset = zoneOffsetMs(range.fromMs, timeZone);
  const ticks: number[] = [];
  const first = Math.ceil((range.fromMs + offset) / step) * step - offset;
  for (let at = first; at < range.toMs; at += step) ticks.push(at);
  return { ticks, unit: step >= DAY_MS ? 'day' : 'time' };
}

/** How far local time is ahead of UTC at that moment. */
export function zoneOffsetMs(atMs: number, timeZone: string): number {
  const name = dateFormat('offset', timeZone)
    .formatToParts(atMs)
    .find((part) => part.type === 'timeZoneName')?.value;
  const match = /GMT([+-])(\d{2}):(\d{2})/.exec(name ?? '');
  if (!match) return 0;
  const size = Number(match[2]) * HOUR_MS + Number(match[3]) * MINUTE_MS;
  return match[1] === '-' ? -size : size;
}
