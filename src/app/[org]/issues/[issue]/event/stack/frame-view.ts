import { visibleStart } from '#lib/visible-text.ts';
import { fileOf, functionOf, libraryOf } from '#product/events/frame-names.ts';
import type { Frame, Stacktrace } from '#protocol/event.ts';
import { marksOf, metaAt, type ScrubMark } from '../scrub-marks.ts';
import { formatValue } from '../values/format-value.ts';

/** A frame as the page shows it: plain strings only. */
export type FrameView = {
  /** Place in the stack as sent, oldest call first. */
  index: number;
  functionName: string;
  /** File, module or library; empty when nothing is known. */
  place: string;
  /** The full path, for the title; empty when it says no more than `place`. */
  fullPath: string;
  line: number | null;
  column: number | null;
  isInApp: boolean;
  library: string;
  address: string;
  /** Source lines around the call; empty when the SDK sent none. */
  source: readonly SourceLine[];
  variables: readonly Variable[];
};

/** `marks`: what was done to it before it was stored. */
export type Variable = readonly [name: string, value: string, marks: readonly ScrubMark[]];

export type SourceLine = {
  /** null when the SDK knows the text but not the line. */
  number: number | null;
  text: string;
  isCalled: boolean;
};

export type StackView = {
  frames: readonly FrameView[];
  /** How many frames the SDK left out. */
  omitted: number;
  registers: readonly (readonly [name: string, value: string])[];
};

const LINE_CHARACTERS_MAX = 1_000;

/** `meta` is the stack's branch of the event's `_meta`. */
export function stackView(stacktrace: Stacktrace, meta?: unknown): StackView {
  const [from, to] = stacktrace.frames_omitted ?? [0, 0];
  return {
    frames: stacktrace.frames.map((frame, index) => frameView(frame, index, metaAt(meta, 'frames', index))),
    omitted: Math.max(0, to - from),
    registers: Object.entries(stacktrace.registers ?? {}),
  };
}

/** `index` is the frame's place in its stack, `meta` its branch of the event's `_meta`. */
export function frameView(frame: Frame, index: number, meta?: unknown): FrameView {
  const place = fileOf(frame);
  return {
    index,
    functionName: functionOf(frame),
    place,
    fullPath: frame.abs_path && frame.abs_path !== place ? frame.abs_path : '',
    line: frame.lineno ?? null,
    column: frame.colno ?? null,
    isInApp: frame.in_app === true,
    library: libraryOf(frame),
    address: frame.instruction_addr ?? '',
    source: sourceLines(frame),
    variables: Object.entries(frame.vars ?? {}).map(
      ([name, value]) => [name, formatValue(value), marksOf(metaAt(meta, 'vars', name))] as const,
    ),
  };
}

function sourceLines(frame: Frame): SourceLine[] {
  if (typeof frame.context_line !== 'string') return [];
  const before = frame.pre_context ?? [];
  const first = frame.lineno ? frame.lineno - before.length : null;
  return [...before, frame.context_line, ...(frame.post_context ?? [])].map((text, offset) => ({
    // Some SDKs send more lines before the call than there are.
    number: first === null || first + offset < 1 ? null : first + offset,
    text: shorten(text ?? ''),
    isCalled: offset === before.length,
  }));
}

function shorten(text: string): string {
  return text.length > LINE_CHARACTERS_MAX ? `${visibleStart(text, LINE_CHARACTERS_MAX)} …` : text;
}
