import { DAY_MS } from '#lib/time.ts';
import type { SpoolMark } from '#product/monitors/store/ingest-mark-store.ts';

/** A spool that is this far behind is taken to be of a machine, or a topic, that does not come back. */
export const SPOOL_GONE_AFTER_MS = 7 * DAY_MS;

/** Whether a spool may still hold something that was accepted up to a moment. */
export type SpoolWait = {
  /** Which spool is furthest behind, for people; null when everything is stored. */
  waitsFor: string | null;
  /** A spool that had something to say at that moment stayed behind for so long that nobody waits for it any more. */
  hasGivenUp: boolean;
};

/** Of all machines with a spool of their own, and of all partitions of a topic. `untilMs` is the moment. */
export function findSpoolWait(marks: readonly SpoolMark[], untilMs: number, nowMs: number): SpoolWait {
  const behind = marks.filter(({ completeUntil }) => completeUntil < untilMs);
  const waiting = behind
    .filter(({ completeUntil }) => nowMs - completeUntil < SPOOL_GONE_AFTER_MS)
    .sort((a, b) => a.completeUntil - b.completeUntil);
  const [last] = waiting;
  return {
    waitsFor: last
      ? `${waiting.length} of ${marks.length} spools may hold data from before ${iso(untilMs)}. Spool ${last.spoolId} is stored up to ${iso(last.completeUntil)} and was last reported at ${iso(last.updatedAt)}: start the edge and digest of its machine`
      : null,
    hasGivenUp: behind.some(
      ({ completeUntil }) =>
        nowMs - completeUntil >= SPOOL_GONE_AFTER_MS && untilMs - completeUntil < SPOOL_GONE_AFTER_MS,
    ),
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();
