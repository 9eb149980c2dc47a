import type { ExceptionValue, NormalizedEvent, Stacktrace, Thread } from '#protocol/event.ts';
import { guiltyFrame } from './fold-frames.ts';
import { type FrameView, type StackView, stackView } from './frame-view.ts';
import { marksOf, metaAt, type ScrubMark } from './scrub-marks.ts';

export type ExceptionView = {
  /** Place in the chain as sent: causes first, so the last one is what was seen. */
  index: number;
  type: string;
  value: string;
  module: string;
  /** In words, for example `onerror, not handled`; empty when unknown. */
  mechanism: string;
  isUnhandled: boolean;
  stack: StackView | null;
  /** What was done to its message before it was stored. */
  marks: readonly ScrubMark[];
};

export type ThreadView = {
  key: string;
  name: string;
  state: string;
  isCrashed: boolean;
  isCurrent: boolean;
  stack: StackView | null;
};

/** The exception chain, causes first, as sent. */
export function exceptionViews(event: NormalizedEvent): ExceptionView[] {
  const meta = metaAt(event._meta, 'exception', 'values');
  return (event.exception?.values ?? []).map((exception, index) => ({
    index,
    type: exception.type ?? '',
    value: exception.value ?? '',
    module: exception.module ?? '',
    mechanism: mechanismWords(exception),
    isUnhandled: exception.mechanism?.handled === false,
    stack: stackOf(exception.stacktrace, metaAt(meta, index, 'stacktrace')),
    marks: marksOf(metaAt(meta, index, 'value')),
  }));
}

/** Threads, the crashed and the current one first. */
export function threadViews(event: NormalizedEvent): ThreadView[] {
  const meta = metaAt(event._meta, 'threads', 'values');
  return (event.threads?.values ?? [])
    .map((thread, index) => ({
      key: String(index),
      name: threadName(thread, index),
      state: thread.state ?? '',
      isCrashed: thread.crashed === true,
      isCurrent: thread.current === true,
      stack: stackOf(thread.stacktrace, metaAt(meta, index, 'stacktrace')),
    }))
    .sort((a, b) => rank(a) - rank(b));
}

/** Where it happened: the guilty frame of the newest exception that has frames, else of the message's or thread's stack. */
export function guiltyFrameOf(event: NormalizedEvent): FrameView | null {
  const stacks = [
    ...[...(event.exception?.values ?? [])].reverse().map((exception) => exception.stacktrace),
    event.stacktrace,
    ...(event.threads?.values ?? [])
      .filter((thread) => thread.crashed || thread.current)
      .map((thread) => thread.stacktrace),
  ];
  for (const stacktrace of stacks) {
    const view = stackOf(stacktrace);
    const frame = view && guiltyFrame(view.frames);
    if (frame) return frame;
  }
  return null;
}

/** Why a frame comes without its source, in a sentence. */
export function noSourceReason(frame: FrameView, platform: string): string {
  if (platform === 'javascript' || platform === 'node') {
    return frame.place.startsWith('node:')
      ? 'This frame is inside Node.js itself.'
      : 'The SDK sent no source lines for this frame: browsers do not, and bundled code has none to send.';
  }
  if (frame.address && !frame.place)
    return 'Only the address of this frame is known: no symbols were found for it.';
  return 'The SDK sent no source lines for this frame.';
}

function stackOf(stacktrace: Stacktrace | null | undefined, meta?: unknown): StackView | null {
  return stacktrace && stacktrace.frames.length > 0 ? stackView(stacktrace, meta) : null;
}

function mechanismWords({ mechanism }: ExceptionValue): string {
  if (!mechanism) return '';
  const handled = mechanism.handled === false ? 'not handled' : mechanism.handled === true ? 'handled' : null;
  return [mechanism.type, handled].filter(Boolean).join(', ');
}

function threadName(thread: Thread, index: number): string {
  const id = thread.id === null || thread.id === undefined ? `#${index + 1}` : `#${thread.id}`;
  return thread.name ? `${thread.name} (${id})` : `Thread ${id}`;
}

function rank(thread: Pick<ThreadView, 'isCrashed' | 'isCurrent'>): number {
  return thread.isCrashed ? 0 : thread.isCurrent ? 1 : 2;
}
