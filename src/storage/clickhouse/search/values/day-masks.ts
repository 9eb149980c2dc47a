import { DAY_MS } from '#lib/time.ts';

/** What the server's type Date holds: 1970 to 2149. */
const DAY_MAX = 65_535;

/** Days since the epoch, UTC. */
export const dayOf = (ms: number): number => Math.min(DAY_MAX, Math.max(0, Math.floor(ms / DAY_MS)));

export const startOfDay = (day: number): number => day * DAY_MS;

/** The first day of a day's month, and the bit that stands for the day in the set of its days. */
export function monthOf(day: number): { month: number; bit: number } {
  const at = new Date(day * DAY_MS);
  const month = dayOf(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1));
  return { month, bit: (1 << (day - month)) >>> 0 };
}

/** Days of a set, of the month that begins at `month`, newest first. */
export function daysOf(month: number, bits: number): readonly number[] {
  const days: number[] = [];
  for (let at = 30; at >= 0; at--) if ((bits >>> at) & 1) days.push(month + at);
  return days;
}
