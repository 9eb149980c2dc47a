import { marksOf, metaAt } from '#app/[org]/issues/[issue]/event/scrub-marks.tsx';
import { formatValue } from '#app/[org]/issues/[issue]/event/values/value-location.ts';
import { visibleStart } from '#lib/visible-text.ts';
import { fileOf, functionOf, libraryOf } from '#product/events/frame-names.ts';
import { readSourceProblem } from '#product/events/source-problem.ts';
import type { Frame, Stacktrace } from '#protocol/event.ts';
import type { SourceLine } from '../source/draw-source.ts';
import { sourceProblemText } from '../source-problem/source-problem-text.ts';

export type FrameView = ReturnType<typeof frameView>;

/** `words` stand on the frame; `reason` names the place where all of it is told. */
export type FrameProblemView = { reason: string; words: string };

/** Where the line of a frame is in the repository; null when nobody knows. */
export type LinkFrame = (frame: Frame) => string | null;

export type StackView = ReturnType<typeof stackView>;

const LINE_CHARACTERS_MAX = 1_000;
/** Of a longer line, what stands before its column: minified files are one line. */
const CHARACTERS_BEFORE_COLUMN = 300;

export const NO_LINKS: LinkFrame = () => null;

/** `meta` is the stack's branch of the event's `_meta`; `crash` is the frame of the crash, in whichever stack. */
export function stackView(
  stacktrace: Stacktrace,
  meta?: unknown,
  linkFrame = NO_LINKS,
  crash: Frame | null = null,
) {
  const [from, to] = stacktrace.frames_omitted ?? [0, 0];
  return {
    frames: stacktrace.frames.map((frame, index) =>
      frameView(frame, index, metaAt(meta, 'frames', index), linkFrame, frame === crash),
    ),
    /** Frames that the SDK left out. */
    omitted: Math.max(0, to - from),
    registers: Object.entries(stacktrace.registers ?? {}),
    hasScannedFrames: stacktrace.frames.some(({ trust }) => trust === 'scan'),
    /** Of native code without symbols there are addresses only. */
    hasOnlyAddresses:
      stacktrace.frames.length > 0 &&
      stacktrace.frames.every(({ function: name, instruction_addr: address }) => !name && Boolean(address)),
  };
}

/** A frame as the page shows it: plain strings only. `meta` is its branch of the event's `_meta`. */
export function frameView(
  frame: Frame,
  index: number,
  meta?: unknown,
  linkFrame = NO_LINKS,
  isCrash = false,
) {
  const place = fileOf(frame);
  const source = sourceLines(frame);
  return {
    /** Position in the stack as sent, oldest call first. */
    index,
    functionName: functionOf(frame),
    /** File, module or library; empty when nothing is known. */
    place,
    /** For the title; empty when it adds nothing to `place`. */
    fullPath: frame.abs_path && frame.abs_path !== place ? frame.abs_path : '',
    line: frame.lineno ?? null,
    column: frame.colno ?? null,
    isInApp: frame.in_app === true,
    /** Whether it is the frame of the crash: one of all stacks of the event. */
    isCrash,
    library: libraryOf(frame),
    address: frame.instruction_addr ?? '',
    /** Whether it is a guess: an address on the stack that may be left of a call that has returned. */
    isScanned: frame.trust === 'scan',
    /** Lines around the call; empty when the SDK sent none. */
    source,
    /** Why it was not resolved to its source; null when nothing is known to be wrong. */
    problem: problemView(frame, source.length > 0),
    /** The line in the repository; null when no code mapping matches. */
    repositoryHref: linkFrame(frame),
    variables: Object.entries(frame.vars ?? {}).map(
      ([name, value]) => [name, formatValue(value), marksOf(metaAt(meta, 'vars', name))] as const,
    ),
  };
}

function problemView(frame: Frame, hasSource: boolean): FrameProblemView | null {
  const problem = readSourceProblem(frame);
  if (!problem) return null;
  const { short } = sourceProblemText(problem);
  return { reason: problem.reason, words: `${hasSource ? 'Minified' : 'No source'}: ${short}` };
}

function sourceLines(frame: Frame): SourceLine[] {
  if (typeof frame.context_line !== 'string') return [];
  const before = frame.pre_context ?? [];
  const first = frame.lineno ? frame.lineno - before.length : null;
  return [...before, frame.context_line, ...(frame.post_context ?? [])].map((text, offset) => ({
    // Some SDKs send more lines before the call than there are.
    number: first === null || first + offset < 1 ? null : first + offset,
    text: shorten(text ?? '', offset === before.length ? (frame.colno ?? 1) - 1 : 0),
    isCalled: offset === before.length,
  }));
}

/** What is around the column of a line too long to be read. */
function shorten(text: string, column: number): string {
  if (text.length <= LINE_CHARACTERS_MAX) return text;
  const from = Math.max(0, Math.min(column - CHARACTERS_BEFORE_COLUMN, text.length - LINE_CHARACTERS_MAX));
  const to = from + LINE_CHARACTERS_MAX;
  const part = visibleStart(text.slice(from, to), LINE_CHARACTERS_MAX);
  return `${from > 0 ? '… ' : ''}${part}${to < text.length ? ' …' : ''}`;
}

/** `checkout/cart.ts:84:12`, as far as it is known; the library or the address where there is no file. */
export function framePlace(
  frame: Pick<FrameView, 'place' | 'line' | 'column' | 'library' | 'address'>,
): string {
  const file = frame.place || frame.library || frame.address;
  if (!frame.place || frame.line === null) return file;
  return frame.column === null ? `${file}:${frame.line}` : `${file}:${frame.line}:${frame.column}`;
}
