import { fileOf, functionOf, libraryOf, positionOf } from '#product/events/frame-names.ts';
import type { ExceptionValue, Frame, NormalizedEvent } from '#protocol/event.ts';

export type PrintOrder = 'newest' | 'oldest';

/** Stack traces as the platform prints them; empty for none. `newest` exception first, or the `oldest`. */
export function printStacks(event: NormalizedEvent, order: PrintOrder): string {
  const exceptions = event.exception?.values ?? [];
  if (exceptions.length === 0) {
    return event.stacktrace ? printException({ stacktrace: event.stacktrace }, event.platform) : '';
  }
  const texts = exceptions.map((exception) => printException(exception, event.platform));
  return order === 'newest' ? texts.reverse().join('\n\nCaused by: ') : texts.join('\n\n');
}

/** One exception with its stack. `platform` is that of the event. */
export function printException(
  { type, value, stacktrace }: Pick<ExceptionValue, 'type' | 'value' | 'stacktrace'>,
  platform: string,
): string {
  const head = [type, value].filter(Boolean).join(': ');
  const frames = stacktrace?.frames ?? [];
  if (platform === 'python') {
    const calls = frames.length > 0 ? ['Traceback (most recent call last):'] : [];
    return [...calls, ...frames.flatMap(pythonFrame), head].filter(Boolean).join('\n');
  }
  return [head, ...frames.map(LINES[platform] ?? plainFrame).reverse()].filter(Boolean).join('\n');
}

function pythonFrame(frame: Frame): string[] {
  const file = frame.abs_path || fileOf(frame);
  const line = `  File "${file}", line ${frame.lineno ?? '?'}, in ${functionOf(frame)}`;
  const source = frame.context_line?.trim();
  return source ? [line, `    ${source}`] : [line];
}

function scriptFrame(frame: Frame): string {
  return `    at ${functionOf(frame)} (${positionOf(frame)})`;
}

function javaFrame(frame: Frame): string {
  const file = frame.lineno == null ? fileOf(frame) : `${fileOf(frame)}:${frame.lineno}`;
  return `\tat ${functionOf(frame)}(${file || 'Unknown Source'})`;
}

function rubyFrame(frame: Frame): string {
  return `\tfrom ${frame.lineno == null ? fileOf(frame) : `${fileOf(frame)}:${frame.lineno}`}:in '${functionOf(frame)}'`;
}

function goFrame(frame: Frame): string {
  const name = frame.module ? `${frame.module}.${functionOf(frame)}` : functionOf(frame);
  return `${name}(...)\n\t${frame.abs_path || fileOf(frame)}:${frame.lineno ?? '?'}`;
}

function sharpFrame(frame: Frame): string {
  const at = fileOf(frame) && frame.lineno != null ? ` in ${fileOf(frame)}:line ${frame.lineno}` : '';
  return `   at ${functionOf(frame)}()${at}`;
}

function nativeFrame(frame: Frame): string {
  const guess = frame.trust === 'scan' ? '(scanned)' : '';
  return ['   ', frame.instruction_addr, libraryOf(frame), functionOf(frame), positionOf(frame), guess]
    .filter(Boolean)
    .join(' ');
}

function plainFrame(frame: Frame): string {
  const at = positionOf(frame);
  return at ? `    ${functionOf(frame)} in ${at}` : `    ${functionOf(frame)}`;
}

const LINES: Readonly<Record<string, (frame: Frame) => string>> = {
  javascript: scriptFrame,
  node: scriptFrame,
  java: javaFrame,
  ruby: rubyFrame,
  go: goFrame,
  csharp: sharpFrame,
  native: nativeFrame,
  cocoa: nativeFrame,
};
