import type { ExceptionValue, Frame, NormalizedEvent, Stacktrace, Thread } from '#protocol/event.ts';
import { isSymbolicated } from './frame-problem.ts';

/**
 * A stored event that was symbolicated anew, with each exception and thread as it was stored where its stack would lose
 * source that it shows: what it came from may be gone by now, or not have come in time.
 */
export function keepSource(stored: NormalizedEvent, anew: NormalizedEvent): NormalizedEvent {
  return {
    ...anew,
    ...(anew.exception && {
      exception: { values: anew.exception.values.map(keptFrom(stored.exception?.values)) },
    }),
    ...(anew.threads && { threads: { values: anew.threads.values.map(keptFrom(stored.threads?.values)) } }),
  };
}

const keptFrom =
  <Owner extends ExceptionValue | Thread>(stored: readonly Owner[] | undefined) =>
  (owner: Owner, index: number): Owner => {
    const before = stored?.[index];
    return before && losesSource(before.stacktrace, owner.stacktrace) ? before : owner;
  };

function losesSource(before: Stacktrace | null | undefined, after: Stacktrace | null | undefined): boolean {
  const shown = before?.frames ?? [];
  const frames = after?.frames ?? [];
  // Mappings that inline otherwise make another number of frames: then it counts how many have none.
  if (shown.length !== frames.length) return countBare(frames) > countBare(shown);
  return shown.some((frame, index) => isLost(frame, frames[index]));
}

const countBare = (frames: readonly Frame[]): number =>
  frames.filter((frame) => !isSymbolicated(frame)).length;

/** A frame that is taken elsewhere now may have no text there; at the same place its text was there before. */
function isLost(shown: Frame, now: Frame | undefined): boolean {
  if (!isSymbolicated(shown)) return false;
  if (!now || !isSymbolicated(now)) return true;
  const isSamePlace =
    shown.function === now.function && shown.lineno === now.lineno && shown.colno === now.colno;
  return isSamePlace && hasText(shown) && !hasText(now);
}

const hasText = ({ context_line: line }: Frame): boolean => line !== undefined && line !== null;
