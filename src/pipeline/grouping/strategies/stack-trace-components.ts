import type { Frame, NormalizedEvent, Stacktrace, Thread } from '#protocol/event.ts';
import { type ComponentsByVariant, component, ignored, withoutRedundantVariants } from '../component.ts';
import type { GroupingComponent, GroupingContext } from '../grouping-types.ts';
import { platformFamily } from '../platform-family.ts';
import type { StackVerdict } from '../stack-trace-rules/rule-types.ts';
import { type VariantFrames, variantFrames } from '../stack-traces/variant-frames.ts';
import { frameComponent, isWebOrFilePath } from './frame-component.ts';

const NO_VERDICT: StackVerdict = { frames: [], maxFrames: null, minFrames: null, invertStacktrace: null };

/** A stack trace that belongs to no exception. */
export function loneStackTraceComponents(
  event: NormalizedEvent,
  context: GroupingContext,
): ComponentsByVariant {
  if (!event.stacktrace) return {};
  return withoutRedundantVariants(stackTraceComponents(event.stacktrace, context));
}

/** Both views of a stack trace: only the user's own frames, and all of them. */
export function stackTraceComponents(
  stacktrace: Stacktrace,
  context: GroupingContext,
): { app: GroupingComponent; system: GroupingComponent } {
  const { frames } = stacktrace;
  const verdict = context.verdicts.get(stacktrace) ?? NO_VERDICT;
  const parts = frames.map((frame, index) => contentOf(frame, frames[index - 1], context));
  const [only] = frames;
  const [onlyPart] = parts;
  if (only && onlyPart && frames.length === 1 && tellsNothing(only, context)) {
    parts[0] = ignored(onlyPart, 'a single frame without a function or address');
  }
  const app = variantFrames('app', frames, parts, verdict);
  const system = variantFrames('system', frames, parts, verdict);
  const own = system.frames.filter((_, index) => frames[index]?.in_app === true);
  return {
    app: assemble(app, appProblem(own)),
    system: assemble(system, frames.length > 0 && !system.frames.some(counts) ? NOTHING_COUNTS : null),
  };
}

const NOTHING_COUNTS = 'no frame contributes';

const counts = (frame: GroupingComponent): boolean => frame.contributes;

/** @param own the user's own frames, as they count among all */
function appProblem(own: readonly GroupingComponent[]): string | null {
  if (own.length === 0) return 'no in-app frames';
  return own.some(counts) ? null : NOTHING_COUNTS;
}

function assemble({ frames, tooFew }: VariantFrames, problem: string | null): GroupingComponent {
  const part = component('stacktrace', frames);
  const hint = problem ?? tooFew;
  return hint === null ? part : ignored(part, hint);
}

function contentOf(frame: Frame, previous: Frame | undefined, context: GroupingContext): GroupingComponent {
  const part = frameComponent(frame, frame.platform || context.platform, context.config);
  return previous !== undefined && isSameCall(frame, previous) ? ignored(part, 'recursion') : part;
}

/** Whether a function called itself from the same place: how deep it went does not count. */
const isSameCall = (frame: Frame, previous: Frame): boolean =>
  frame.lineno === previous.lineno &&
  frame.colno === previous.colno &&
  frame.function === previous.function &&
  frame.module === previous.module &&
  frame.filename === previous.filename &&
  frame.abs_path === previous.abs_path &&
  frame.package === previous.package;

/** One frame of a script without function and address: what is left says nothing. */
const tellsNothing = (frame: Frame, { platform }: GroupingContext): boolean =>
  platformFamily(frame.platform || platform) === 'javascript' &&
  !frame.function &&
  !isWebOrFilePath(frame.abs_path);

/** The one thread that crashed, else the one that was current, else the only one. */
export function threadComponents(event: NormalizedEvent, context: GroupingContext): ComponentsByVariant {
  const threads = event.threads?.values ?? [];
  if (threads.length === 0) return {};
  const crashed = threads.filter((thread) => thread.crashed);
  const current = threads.filter((thread) => thread.current);
  const chosen = [crashed, current, threads].find((candidates) => candidates.length === 1)?.[0];
  if (chosen !== undefined) return ofThread(chosen, context);
  const hint = `no single crashed or current thread among ${threads.length} threads: ${crashed.length} crashed, ${current.length} current`;
  return { app: ignored(component('threads', []), hint) };
}

function ofThread({ stacktrace }: Thread, context: GroupingContext): ComponentsByVariant {
  if (!stacktrace) return { app: ignored(component('threads', []), 'the thread has no stack trace') };
  const { app, system } = stackTraceComponents(stacktrace, context);
  return withoutRedundantVariants({
    app: component('threads', [app]),
    system: component('threads', [system]),
  });
}
