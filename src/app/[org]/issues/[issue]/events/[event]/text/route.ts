import { printStacks } from '#product/event-description/print-stack.ts';
import { asSent } from '../../../event/stack/as-sent.ts';
import { textOf, withEvent } from '../with-event.ts';

/**
 * The stack as its platform would print it; `?order=oldest` begins with the first cause, `?frames=sent` takes the frames
 * as they were sent.
 */
export const GET = withEvent(({ event, query }) => {
  const payload = query.get('frames') === 'sent' ? asSent(event.payload) : event.payload;
  return textOf(printStacks(payload, query.get('order') === 'oldest' ? 'oldest' : 'newest'));
});
