import type { ExceptionValue, Frame, NormalizedEvent, Stacktrace, Thread } from '#protocol/event.ts';
import { applyStackTraceRules } from '../stack-trace-rules/apply-stack-trace-rules.ts';
import type { CompiledStackTraceRules } from '../stack-trace-rules/compile-stack-trace-rules.ts';
import type { RuleException, StackVerdict } from '../stack-trace-rules/rule-types.ts';
import { withInApp } from '../stack-trace-rules/sent-in-app.ts';
import { trimFunction } from '../trim-function.ts';

export type PreparedEvent = {
  /** With the rules' word on `in_app`, and function names without signatures. */
  event: NormalizedEvent;
  /** What the rules say of each of its stack traces. */
  verdicts: ReadonlyMap<Stacktrace, StackVerdict>;
};

/** Frames of one event that rules are applied to, in whole stack traces. */
export const RULED_FRAMES_MAX = 10_000;

/**
 * Runs the rules over the stack traces of an event, those that it can be grouped by first. Of a prepared event it makes
 * the same event again.
 */
export function prepareEvent(event: NormalizedEvent, rules: CompiledStackTraceRules): PreparedEvent {
  const verdicts = new Map<Stacktrace, StackVerdict>();
  let framesLeft = RULED_FRAMES_MAX;
  const prepare = (stacktrace: Stacktrace, exception: RuleException | null): Stacktrace => {
    framesLeft -= stacktrace.frames.length;
    if (framesLeft < 0) return stacktrace;
    const frames = stacktrace.frames.map((frame) => prepareFrame(frame, event.platform));
    const verdict = applyStackTraceRules(rules, frames, { platform: event.platform, exception });
    const marked = frames.map((frame, index) => withInApp(frame, verdict.frames[index]?.inApp ?? null));
    const prepared = { ...stacktrace, frames: marked };
    verdicts.set(prepared, verdict);
    return prepared;
  };
  const prepared: NormalizedEvent = { ...event };
  if (event.exception) {
    prepared.exception = { values: event.exception.values.map((each) => prepareException(each, prepare)) };
  }
  if (event.stacktrace) prepared.stacktrace = prepare(event.stacktrace, null);
  if (event.threads) prepared.threads = { values: prepareThreads(event.threads.values, prepare) };
  return { event: prepared, verdicts };
}

type Prepare = (stacktrace: Stacktrace, exception: RuleException | null) => Stacktrace;

/** The threads that may be what the event is about come first, and stay in their places. */
function prepareThreads(threads: readonly Thread[], prepare: Prepare): readonly Thread[] {
  const prepared = [...threads];
  for (const isFirst of [true, false]) {
    for (const [index, thread] of threads.entries()) {
      if (!thread.stacktrace || Boolean(thread.crashed || thread.current) !== isFirst) continue;
      prepared[index] = { ...thread, stacktrace: prepare(thread.stacktrace, null) };
    }
  }
  return prepared;
}

function prepareException(exception: ExceptionValue, prepare: Prepare): ExceptionValue {
  const { stacktrace, raw_stacktrace: rawStacktrace, type, value, mechanism } = exception;
  if (!stacktrace && !rawStacktrace) return exception;
  const facts = { type: type ?? null, value: value ?? null, mechanism: mechanism?.type ?? null };
  return {
    ...exception,
    ...(stacktrace && { stacktrace: prepare(stacktrace, facts) }),
    ...(rawStacktrace && { raw_stacktrace: prepare(rawStacktrace, null) }),
  };
}

/**
 * A frame as rules and hashes look at it: a bare function name (the one that was sent stays in `raw_function`) and a file
 * without query. The same object when that is how it is already.
 */
function prepareFrame(frame: Frame, eventPlatform: string): Frame {
  const changes: Partial<Frame> = {};
  trimName(frame, frame.platform || eventPlatform, changes);
  if (eventPlatform === 'javascript') dropQuery(frame, changes);
  if (eventPlatform === 'python') replaceSpawnArguments(frame, changes);
  return Object.keys(changes).length === 0 ? frame : { ...frame, ...changes };
}

function trimName(frame: Frame, platform: string, changes: Partial<Frame>): void {
  const { function: name, raw_function: raw } = frame;
  if (!name || (raw !== null && raw !== undefined)) return;
  const trimmed = trimFunction(name, platform);
  if (trimmed === name) return;
  changes.function = trimmed;
  changes.raw_function = name;
}

function dropQuery({ filename }: Frame, changes: Partial<Frame>): void {
  if (!filename?.includes('?')) return;
  const [beforeFragment = ''] = filename.split('#', 1);
  const query = beforeFragment.slice(beforeFragment.indexOf('?') + 1);
  if (query !== '' && beforeFragment.includes('?')) changes.filename = filename.replaceAll(`?${query}`, '');
}

/** The line that CPython's multiprocessing makes up for each process that it starts, with that process's numbers. */
const SPAWN_LINE =
  /^from multiprocessing\.spawn import spawn_main; spawn_main\((?:tracker_fd|parent_pid)=\d+, pipe_handle=\d+\)/;

function replaceSpawnArguments(frame: Frame, changes: Partial<Frame>): void {
  const { module, filename, function: name, context_line: line } = frame;
  if (module !== '__main__' || filename !== '<string>' || name !== '<module>' || !line) return;
  if (SPAWN_LINE.test(line)) changes.context_line = line.replace(/=\d+/g, '=<int>');
}
