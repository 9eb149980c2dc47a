import { findCrashFrame } from '#product/events/frame-names.ts';
import type { ExceptionValue, Frame, NormalizedEvent, Stacktrace, Thread } from '#protocol/event.ts';
import { marksOf, metaAt } from './scrub-marks.tsx';
import { exceptionTree } from './stack/exception-tree.ts';
import { type FrameView, type LinkFrame, NO_LINKS, type StackView, stackView } from './stack/frame-view.ts';

export type ExceptionView = ReturnType<typeof exceptionViews>[number];
export type ThreadView = ReturnType<typeof threadViews>[number];

/** What was caught first, then what is below it. */
export function exceptionViews(event: NormalizedEvent, linkFrame = NO_LINKS) {
  const meta = metaAt(event._meta, 'exception', 'values');
  const values = event.exception?.values ?? [];
  const crash = findCrashFrame(event);
  return exceptionTree(values).flatMap((node) => {
    const exception = values[node.index];
    if (!exception) return [];
    const stackMeta = metaAt(meta, node.index, 'stacktrace');
    return {
      node,
      type: exception.type ?? '',
      value: exception.value ?? '',
      module: exception.module ?? '',
      /** For example `onerror, unhandled`; empty when unknown. */
      mechanism: mechanismLabel(exception),
      isUnhandled: exception.mechanism?.handled === false,
      stack: stackOf(exception.stacktrace, stackMeta, linkFrame, crash),
      /** What was done to its message before it was stored. */
      marks: marksOf(metaAt(meta, node.index, 'value')),
    };
  });
}

/** Threads, the crashed and the current one first. */
export function threadViews(event: NormalizedEvent) {
  return (event.threads?.values ?? [])
    .map((thread, index) => ({
      /** Position among the threads as sent. */
      index,
      name: threadName(thread, index),
      state: thread.state ?? '',
      isCrashed: thread.crashed === true,
      isCurrent: thread.current === true,
      hasStack: (thread.stacktrace?.frames.length ?? 0) > 0,
    }))
    .sort((a, b) => rank(a) - rank(b));
}

/** Places of the stacks of an event, as addresses name them: `exception.0`, `thread.3`, `message`. */
export type StackName = `exception.${number}` | `thread.${number}` | 'message';

/** null when the event has no such stack. */
export function findStack(event: NormalizedEvent, name: string, linkFrame = NO_LINKS): StackView | null {
  const [kind, place] = name.split('.');
  const crash = findCrashFrame(event);
  if (kind === 'message') {
    return stackOf(event.stacktrace, metaAt(event._meta, 'stacktrace'), linkFrame, crash);
  }
  if (!/^\d{1,4}$/.test(place ?? '')) return null;
  const index = Number(place);
  if (kind === 'exception') {
    const meta = metaAt(event._meta, 'exception', 'values', index, 'stacktrace');
    return stackOf(event.exception?.values[index]?.stacktrace, meta, linkFrame, crash);
  }
  if (kind !== 'thread') return null;
  const meta = metaAt(event._meta, 'threads', 'values', index, 'stacktrace');
  return stackOf(event.threads?.values[index]?.stacktrace, meta, linkFrame, crash);
}

/** Why a frame comes without its source, in a sentence. */
export function noSourceReason(frame: FrameView, platform: string): string {
  if (platform === 'javascript' || platform === 'node') {
    return frame.place.startsWith('node:')
      ? 'This frame is inside Node.js itself.'
      : 'The SDK sent no source context for this frame. Upload source maps to see the original source.';
  }
  if (frame.address && !frame.place)
    return 'Only the address of this frame is known. No symbols were found for it.';
  return 'The SDK sent no source context for this frame.';
}

function stackOf(
  stacktrace: Stacktrace | null | undefined,
  meta: unknown,
  linkFrame: LinkFrame,
  crash: Frame | null,
): StackView | null {
  return stacktrace && stacktrace.frames.length > 0 ? stackView(stacktrace, meta, linkFrame, crash) : null;
}

function mechanismLabel({ mechanism }: ExceptionValue): string {
  if (!mechanism) return '';
  const handled = mechanism.handled === false ? 'unhandled' : mechanism.handled === true ? 'handled' : null;
  return [mechanism.type, handled].filter(Boolean).join(', ');
}

function threadName(thread: Thread, index: number): string {
  const id = thread.id === null || thread.id === undefined ? `#${index + 1}` : `#${thread.id}`;
  return thread.name ? `${thread.name} (${id})` : `Thread ${id}`;
}

function rank(thread: { isCrashed: boolean; isCurrent: boolean; hasStack: boolean }): number {
  return thread.isCrashed ? 0 : thread.isCurrent ? 1 : thread.hasStack ? 2 : 3;
}
