import type { ExceptionValue, Frame, NormalizedEvent, Stacktrace, Thread } from '#protocol/event.ts';
import { sentInApp } from '../grouping/stack-trace-rules/sent-in-app.ts';
import type { FrameProblem } from './symbol-sources.ts';

/** Kept with the frame, so that the page can say it whenever it is read. */
export function withProblem(frame: Frame, problem: FrameProblem): Frame {
  return { ...frame, data: { ...frame.data, source_problem: problem } };
}

export const isSymbolicated = (frame: Frame): boolean => frame.data?.symbolicated === true;

/**
 * A stored event as it was before it was symbolicated and its frames were ruled: to be symbolicated anew. Stacks whose
 * frames were replaced are what was sent; a stack that belongs to no exception or thread stays where it was replaced,
 * since nobody keeps what was sent.
 */
export function asSent(event: NormalizedEvent): NormalizedEvent {
  const exceptions = event.exception?.values.map((value) => sentStacks(value));
  const threads = event.threads?.values.map((thread) => sentStacks(thread));
  return {
    ...event,
    ...(exceptions ? { exception: { values: exceptions } } : {}),
    ...(threads ? { threads: { values: threads } } : {}),
    ...(event.stacktrace ? { stacktrace: sentStack(event.stacktrace) } : {}),
  };
}

function sentStacks<Owner extends ExceptionValue | Thread>(owner: Owner): Owner {
  const { stacktrace, raw_stacktrace: raw } = owner;
  if (!stacktrace) return owner;
  if (!raw || !stacktrace.frames.some(isSymbolicated)) {
    return { ...owner, stacktrace: sentStack(stacktrace) };
  }
  const { raw_stacktrace: _raw, ...rest } = owner;
  return { ...rest, stacktrace: sentStack(raw) } as Owner;
}

const sentStack = (stacktrace: Stacktrace): Stacktrace => ({
  ...stacktrace,
  frames: stacktrace.frames.map(sentFrame),
});

function sentFrame(frame: Frame): Frame {
  if (!frame.data || isSymbolicated(frame)) return frame;
  const { data: before, ...sent } = frame;
  const { source_problem: _problem, orig_in_app: _original, ...data } = before ?? {};
  return { ...sent, in_app: sentInApp(frame), ...(Object.keys(data).length > 0 ? { data } : {}) };
}

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
