import { functionOf, libraryOf, positionOf } from '#product/events/frame-names.ts';
import type { ExceptionValue, Frame, NormalizedEvent } from '#protocol/event.ts';

const SOURCE_LINE_CHARACTERS_MAX = 300;
const VALUE_CHARACTERS_MAX = 1_000;

/** Every exception with every call, newest first, with source and variables; empty for an event without a stack. */
export function printFrames(event: NormalizedEvent): string {
  const exceptions = event.exception?.values ?? [];
  if (exceptions.length > 0) return exceptions.toReversed().map(exceptionText).join('\n\ncaused by\n\n');
  return (event.stacktrace?.frames ?? []).toReversed().map(frameText).join('\n');
}

function exceptionText({ type, value, mechanism, stacktrace }: ExceptionValue): string {
  const how = mechanism?.handled === false ? ' (not handled)' : '';
  const head = `${[type, value].filter(Boolean).join(': ')}${how}`;
  return [head, ...(stacktrace?.frames ?? []).toReversed().map(frameText)].join('\n');
}

function frameText(frame: Frame): string {
  const at = positionOf(frame) || libraryOf(frame) || frame.instruction_addr;
  const head = [`at ${functionOf(frame)}`, at && `in ${at}`, frame.in_app === true && '(own code)'];
  return [head.filter(Boolean).join(' '), ...sourceLines(frame), ...variableLines(frame)].join('\n');
}

function sourceLines({ pre_context, context_line, post_context, lineno }: Frame): string[] {
  if (typeof context_line !== 'string') return [];
  const before = pre_context ?? [];
  return [...before, context_line, ...(post_context ?? [])].map((text, index) => {
    const number = lineno ? `${lineno - before.length + index} ` : '';
    const mark = index === before.length ? '>' : ' ';
    return `  ${mark} ${number}| ${(text ?? '').slice(0, SOURCE_LINE_CHARACTERS_MAX)}`;
  });
}

const variableLines = ({ vars }: Frame): string[] =>
  Object.entries(vars ?? {}).map(
    ([name, value]) => `    ${name} = ${(JSON.stringify(value) ?? '').slice(0, VALUE_CHARACTERS_MAX)}`,
  );
