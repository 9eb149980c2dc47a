import { BoundedCache } from '#lib/bounded-cache.ts';
import { DAY_MS } from '#lib/time.ts';

/** Formatters kept; one is slow to make. */
const ZONES_MAX = 1_000;
const formatters = new BoundedCache<Intl.DateTimeFormat | null>(ZONES_MAX);

const formatterOf = (zone: string) =>
  formatters.getOrCompute(zone, () => {
    try {
      return new Intl.DateTimeFormat('en-US', {
        timeZone: zone,
        hourCycle: 'h23',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
      });
    } catch {
      return null;
    }
  });

/** Whether the time zone database knows the name. */
export const isTimeZone = (zone: string): boolean =>
  // Offsets such as +02:00 are no names, although newer engines take them.
  /^[A-Za-z]/.test(zone) && formatterOf(zone) !== null;

/** The clock on a wall in the zone, as if it were UTC. */
function wallClock(atMs: number, zone: string): number {
  const fields: Record<string, number> = {};
  for (const { type, value } of formatterOf(zone)!.formatToParts(atMs)) fields[type] = Number(value);
  const { year, month, day, hour, minute, second } = fields as Record<string, number>;
  return Date.UTC(year!, month! - 1, day, hour, minute, second) + (((atMs % 1_000) + 1_000) % 1_000);
}

/** When a clock on a wall in the zone shows this; the earlier of two, and the later side of an hour that is left out. */
function momentOf(wallMs: number, zone: string): number {
  const offsets = [wallMs - DAY_MS, wallMs + DAY_MS].map((at) => wallClock(at, zone) - at);
  const moments = offsets.map((offset) => wallMs - offset);
  const shown = moments.filter((at) => wallClock(at, zone) === wallMs);
  return shown.length > 0 ? Math.min(...shown) : Math.max(...moments);
}

/** So many days later at the same time of day in the zone. */
export function addDays(atMs: number, days: number, zone: string): number {
  return momentOf(wallClock(atMs, zone) + days * DAY_MS, zone);
}

/** So many months later on the same day and at the same time in the zone; the last day of a month that is too short. */
export function addMonths(atMs: number, months: number, zone: string): number {
  const wall = new Date(wallClock(atMs, zone));
  const day = wall.getUTCDate();
  wall.setUTCDate(1);
  wall.setUTCMonth(wall.getUTCMonth() + months);
  const last = new Date(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() + 1, 0)).getUTCDate();
  wall.setUTCDate(Math.min(day, last));
  return momentOf(wall.getTime(), zone);
}
