import { DAY_MS, HOUR_MS, WEEK_MS } from '#lib/time.ts';
import type { Stores } from '#product/stores.ts';

/** Of Monday, UTC: most of the world is awake, or will find it when it is. */
const SENT_FROM_HOUR = 7;
/** Whoever was down on Monday morning sends it until then; later it would be stale. */
const SENT_FOR_MS = DAY_MS;
/** The first Monday of the epoch. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/**
 * Begins the mails about the last whole week (Monday to Sunday, UTC), once for each member who wants them, of
 * organizations where something happened. Answers how many; 0 outside of Monday.
 */
export async function openWeeklyReports(
  { reports }: Pick<Stores, 'reports'>,
  nowMs: number,
): Promise<number> {
  const monday = mondayBefore(nowMs);
  const sentFrom = monday + SENT_FROM_HOUR * HOUR_MS;
  if (nowMs < sentFrom || nowMs >= sentFrom + SENT_FOR_MS) return 0;
  const weekStart = monday - WEEK_MS;
  let opened = 0;
  for (const organizationId of await reports.listActiveOrganizations({ fromMs: weekStart, toMs: monday })) {
    opened += await reports.open(organizationId, weekStart, nowMs);
  }
  return opened;
}

/** Midnight of the last Monday, UTC. */
export const mondayBefore = (nowMs: number): number =>
  FIRST_MONDAY_MS + Math.floor((nowMs - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS;
