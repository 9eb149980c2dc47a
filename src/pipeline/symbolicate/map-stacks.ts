import type { ExceptionValue, NormalizedEvent, Stacktrace, Thread } from '#protocol/event.ts';

/**
 * The event with every stack trace that `change` answers another one for; null keeps it. What an exception or a thread
 * had before is kept as its `raw_stacktrace`, once frames are others than those that were sent.
 */
export function mapStacks(
  event: NormalizedEvent,
  change: (stacktrace: Stacktrace) => Stacktrace | null,
): NormalizedEvent {
  const changeOwner = <Owner extends ExceptionValue | Thread>(owner: Owner): Owner => {
    const before = owner.stacktrace;
    const stacktrace = before ? change(before) : null;
    if (!before || !stacktrace) return owner;
    const isReplaced = isMoved(before, stacktrace);
    const raw = owner.raw_stacktrace ?? (isReplaced ? before : null);
    return { ...owner, stacktrace, ...(raw ? { raw_stacktrace: raw } : {}) };
  };
  const stacktrace = event.stacktrace ? change(event.stacktrace) : null;
  return {
    ...event,
    ...(event.exception ? { exception: { values: event.exception.values.map(changeOwner) } } : {}),
    ...(event.threads ? { threads: { values: event.threads.values.map(changeOwner) } } : {}),
    ...(stacktrace ? { stacktrace } : {}),
  };
}

/** Whether a frame is another one, and did not only get a note. */
const isMoved = (before: Stacktrace, after: Stacktrace): boolean =>
  before.frames.length !== after.frames.length ||
  after.frames.some((frame, index) => {
    const sent = before.frames[index];
    return frame.data?.symbolicated === true && sent?.data?.symbolicated !== true;
  });
