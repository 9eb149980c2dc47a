import type { Frame, NormalizedEvent, Thread } from '#protocol/event.ts';

/** Of an event with very many frames, those nearest to the crash are enough. */
const FRAMES_MAX = 1_000;

/** The frames that rules look at: those of all exceptions, else of the event's stack trace, else of its one thread. */
export function eventFrames(event: NormalizedEvent): readonly Frame[] {
  const ofExceptions = event.exception?.values.flatMap(({ stacktrace }) => stacktrace?.frames ?? []) ?? [];
  if (ofExceptions.length > 0) return ofExceptions.slice(-FRAMES_MAX);
  const own = event.stacktrace?.frames ?? [];
  return own.length > 0 ? own : (crashingThread(event.threads?.values ?? [])?.stacktrace?.frames ?? []);
}

/** The only thread, else the only one that crashed, else the only one that ran. */
function crashingThread(threads: readonly Thread[]): Thread | null {
  if (threads.length === 1) return threads[0] ?? null;
  for (const flag of ['crashed', 'current'] as const) {
    const flagged = threads.filter((thread) => thread[flag]);
    if (flagged.length === 1) return flagged[0] ?? null;
  }
  return null;
}

/** Where it crashed: of the last exception the user's own frame nearest to the crash, else the frame nearest to it. */
export function crashFrame(event: NormalizedEvent): Frame | null {
  const frames =
    event.exception?.values.at(-1)?.stacktrace?.frames ?? event.stacktrace?.frames ?? onlyThreadFrames(event);
  return frames.findLast(({ in_app: inApp }) => inApp) ?? frames.at(-1) ?? null;
}

function onlyThreadFrames({ threads }: NormalizedEvent): readonly Frame[] {
  const [thread, ...others] = threads?.values ?? [];
  return others.length === 0 ? (thread?.stacktrace?.frames ?? []) : [];
}
