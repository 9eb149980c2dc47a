import type { Frame, Stacktrace } from '#protocol/event.ts';

/** A stack trace as the entries of an event hold it, oldest call first. */
export function serializeStacktrace(stacktrace: Stacktrace) {
  return {
    frames: stacktrace.frames.map(serializeFrame),
    framesOmitted: stacktrace.frames_omitted ?? null,
    registers: stacktrace.registers ?? null,
    hasSystemFrames: hasSystemFrames(stacktrace),
  };
}

/** Whether frames of the user's code and of others are mixed, so that the others can be hidden. */
export function hasSystemFrames({ frames }: Stacktrace): boolean {
  return frames.some((frame) => frame.in_app === true) && frames.some((frame) => frame.in_app !== true);
}

function serializeFrame(frame: Frame) {
  return {
    filename: frame.filename ?? null,
    absPath: frame.abs_path ?? null,
    module: frame.module ?? null,
    package: frame.package ?? null,
    platform: frame.platform ?? null,
    instructionAddr: frame.instruction_addr ?? null,
    symbolAddr: frame.symbol_addr ?? null,
    addrMode: frame.addr_mode ?? null,
    function: frame.function ?? null,
    rawFunction: frame.raw_function ?? null,
    symbol: null,
    context: serializeSourceContext(frame),
    lineNo: frame.lineno ?? null,
    colNo: frame.colno ?? null,
    // Clients read this as a boolean: what nobody called the user's own is not.
    inApp: frame.in_app ?? false,
    trust: frame.trust ?? null,
    errors: null,
    lock: frame.lock ?? null,
    sourceLink: null,
    vars: frame.vars ?? null,
    data: frame.data ?? null,
  };
}

/** Pairs of line number and text; empty when the line or its number is unknown. */
function serializeSourceContext(frame: Frame): [number, string][] {
  const { lineno, context_line: line } = frame;
  if (typeof lineno !== 'number' || typeof line !== 'string') return [];
  const before = frame.pre_context ?? [];
  const lines = [...before, line, ...(frame.post_context ?? [])];
  return lines.map((text, index) => [lineno - before.length + index, text ?? '']);
}
