import type { ExceptionValue, Frame, NormalizedEvent, Stacktrace } from '#protocol/event.ts';

/**
 * The exception that an event is about: the last of the chain, which is the one that was caught. Of an exception
 * group whose members all have one type it is the first member, since the group itself tells nothing. null without any.
 */
export function mainException(event: NormalizedEvent): ExceptionValue | null {
  const values = event.exception?.values ?? [];
  let main = values.findLast((value) => value.mechanism?.parent_id == null) ?? values.at(-1) ?? null;
  const seen = new Set<ExceptionValue>();
  while (main?.mechanism?.is_exception_group && !seen.has(main)) {
    seen.add(main);
    const members = membersOf(main, values);
    const first = members[0];
    if (first === undefined || members.some((member) => member.type !== first.type)) break;
    main = first;
  }
  return main;
}

/** The exceptions that a group holds; its cause, which hangs below it too, is none of them. */
function membersOf(group: ExceptionValue, values: readonly ExceptionValue[]): readonly ExceptionValue[] {
  const id = group.mechanism?.exception_id;
  if (id == null) return [];
  return values
    .filter((value) => value.mechanism?.parent_id === id && /\[\d+\]$/.test(value.mechanism.source ?? ''))
    .sort((a, b) => (a.mechanism?.exception_id ?? 0) - (b.mechanism?.exception_id ?? 0));
}

/** What tools write where a function has no name. */
const PLACEHOLDER =
  /^<?(?:redacted|unknown|anonymous|compiler-generated|stripped[ _]application[ _]code)>?$|^\?+$/;

/** How a process ends itself: always innermost, never the cause. */
const ENDING =
  /^(?:_*pthread_kill|_*abort(?:_message|_with_\w+)?|_*raise|_*kill|_*exit|__cxa_(?:throw|rethrow)|std::terminate|_*exceptionPreprocess|objc_exception_(?:throw|rethrow)|_CFThrow\w+|RaiseException|RaiseComPlusException|_CxxThrowException|mach_msg_trap|demangling_terminate_handler|_objc_terminate|crashpad::.*)$/;

/** Whether a frame says by its function where the program was. */
export const tellsFunction = (frame: Frame): boolean =>
  Boolean(frame.function) && !PLACEHOLDER.test(frame.function ?? '') && !ENDING.test(frame.function ?? '');

/**
 * Where it happened: the innermost frame of the user's own code, else the innermost telling one that is not known to
 * be foreign, else the innermost telling one of all. null without frames.
 */
export function crashingFrame(event: NormalizedEvent): Frame | null {
  const frames = crashingStack(event)?.frames ?? [];
  return (
    frames.findLast((frame) => frame.in_app === true && isPlace(frame)) ??
    frames.findLast((frame) => frame.in_app !== false && tellsFunction(frame)) ??
    frames.findLast(tellsFunction) ??
    frames.findLast((frame) => Boolean(frame.function)) ??
    frames.at(-1) ??
    null
  );
}

/** Built-in functions such as `Array.map` have no file, though some SDKs call them the user's own. */
const isPlace = (frame: Frame): boolean =>
  frame.filename === '<anonymous>' || frame.filename === '[native code]'
    ? false
    : tellsFunction(frame) || Boolean(frame.module ?? frame.filename);

/** The main exception's stack, else another exception's, else that of the message, else that of the crashed thread. */
export function crashingStack(event: NormalizedEvent): Stacktrace | null {
  const main = mainException(event);
  const exceptions = event.exception?.values ?? [];
  const threads = event.threads?.values ?? [];
  const thread =
    threads.find(
      (candidate) => candidate.id != null && candidate.id === main?.thread_id && candidate.stacktrace,
    ) ??
    threads.find((candidate) => candidate.crashed && candidate.stacktrace) ??
    threads.find((candidate) => candidate.current && candidate.stacktrace) ??
    (threads.length === 1 ? threads[0] : undefined);
  return (
    main?.stacktrace ??
    exceptions.findLast((value) => value.stacktrace)?.stacktrace ??
    event.stacktrace ??
    thread?.stacktrace ??
    null
  );
}
