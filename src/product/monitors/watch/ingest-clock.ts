import type { IngestGap } from '#domain/monitors/monitor-state.ts';
import { MINUTE_MS } from '#lib/time.ts';
import type { IngestMark } from '../store/ingest-mark-store.ts';

/** The mark of an edge that has been silent for so long is of one that is gone. */
const SILENT_MS_MAX = 15 * MINUTE_MS;

/** What is known of what arrived: everything up to a moment, except in the gaps. */
export type IngestClock = { completeUntil: number; gaps: readonly IngestGap[] };

/**
 * Of all edges together: what may still wait at one of them is not known. null while no edge is heard of. A clock that
 * was put back makes a mark younger than now, which counts until it is reached.
 */
export function readIngestClock(marks: readonly IngestMark[], nowMs: number): IngestClock | null {
  const heard = marks.filter(({ updatedAt }) => nowMs - updatedAt < SILENT_MS_MAX);
  if (heard.length === 0) return null;
  return {
    completeUntil: Math.min(nowMs, ...heard.map((mark) => mark.completeUntil)),
    gaps: heard.flatMap((mark) => mark.gaps),
  };
}
