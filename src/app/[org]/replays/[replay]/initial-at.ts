const MS_PER_SECOND = 1_000;
/** A moment is shown with what led to it. */
const LEAD_MS = 2_000;

/**
 * Where a replay begins to play, in milliseconds after its start: at `t` seconds, or shortly before the moment `at` in
 * milliseconds since the epoch; at 0 for anything else. Never outside of the replay.
 */
export function findInitialAt(
  { t, at }: { t: string | null; at: string | null },
  { startedAt, durationMs }: { startedAt: number; durationMs: number },
): number {
  const seconds = readNumber(t);
  const moment = readNumber(at);
  const wanted =
    seconds === null ? (moment === null ? 0 : moment - startedAt - LEAD_MS) : seconds * MS_PER_SECOND;
  return Math.min(Math.max(0, wanted), durationMs);
}

const readNumber = (text: string | null): number | null =>
  text !== null && /^\d{1,15}(?:\.\d{1,3})?$/.test(text) ? Number(text) : null;
