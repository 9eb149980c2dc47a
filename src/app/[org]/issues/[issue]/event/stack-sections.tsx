import { printStacks } from '#product/event-description/print-stack.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import type { EventParts, EventPlace, SectionEntry } from './event-parts.ts';
import { exceptionViews, threadViews } from './event-view.ts';
import { asSent, hasSentFrames } from './stack/as-sent.ts';
import { ExceptionChain, StackActions } from './stack/exception-chain.tsx';
import { singleStack } from './stack/stack-frames.tsx';
import { ThreadList } from './stack/thread-list.tsx';

/** Exceptions with their stacks; null without any. */
export function stackSection({ event: stored }: EventParts, place: EventPlace): SectionEntry | null {
  // Without its body the event has no stack to show, and its title stands above.
  const event = place.stack.isAsSent ? asSent(stored.payload) : stored.payload;
  const exceptions = stored.isBodySampled ? [] : exceptionViews(event, place.linkFrame);
  if (exceptions.length === 0) return null;
  return {
    id: 'stack-trace',
    title: 'Stack trace',
    actions: <StackActions exceptions={exceptions} place={place} hasSentFrames={hasSentFrames(event)} />,
    content: (
      <ExceptionChain
        exceptions={exceptions}
        platform={event.platform}
        place={place}
        rawText={() => printStacks(event, place.stack.order)}
      />
    ),
  };
}

/** The stack of a message, which belongs to no exception; null without one. */
export function messageStackSection(event: NormalizedEvent, place: EventPlace): SectionEntry | null {
  const content = singleStack(event, 'message', place);
  return content ? { id: 'stack', title: 'Message stack trace', content } : null;
}

/** Threads, one at a time; null without any. */
export function threadSection(event: NormalizedEvent, place: EventPlace): SectionEntry | null {
  const threads = threadViews(event);
  if (threads.length === 0) return null;
  return {
    id: 'threads',
    title: 'Threads',
    count: threads.length,
    content: <ThreadList threads={threads} event={event} place={place} />,
  };
}
