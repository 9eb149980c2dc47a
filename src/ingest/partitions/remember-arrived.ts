import { DAY_MS, HOUR_MS } from '#lib/time.ts';
import type { ArrivedIds, RecentIds } from '#storage/ports/spool.ts';

/** Ids of other workers that are remembered when partitions are taken over; the newest first. */
const IDS_TAKEN_OVER_MAX = 4_000_000;
/** Ids written at once. */
const IDS_PER_WRITE_MAX = 20_000;

/**
 * Remembers the ids that other workers brought in the last 24 hours, so that one which comes again is found. They have the
 * time of their arrival instead of a position: what another worker has stored and not counted is told from a duplicate by it.
 */
export async function rememberArrived(
  { arrivedIds, recentIds }: { arrivedIds: ArrivedIds; recentIds: Pick<RecentIds, 'remember'> },
  { partitions, wanted }: { partitions: number; wanted: readonly number[] },
  nowMs: number,
): Promise<number> {
  let remembered = 0;
  // An hour on top: clocks of edges differ.
  const range = { sinceMs: nowMs - DAY_MS, untilMs: nowMs + HOUR_MS, partitions, wanted };
  for await (const page of arrivedIds.list(range)) {
    for (let start = 0; start < page.length; start += IDS_PER_WRITE_MAX) {
      const entries = page
        .slice(start, start + IDS_PER_WRITE_MAX)
        .map(({ projectId, eventId, receivedAt }) => ({ projectId, eventId, position: -receivedAt }));
      await recentIds.remember(entries, nowMs);
    }
    remembered += page.length;
    if (remembered >= IDS_TAKEN_OVER_MAX) break;
  }
  return remembered;
}
