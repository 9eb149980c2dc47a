import { printStacks } from '#product/events/print-stack.ts';
import { answerEvent, type EventParams, textOf } from '../answer-event.ts';

/** The stack as its platform would print it; `?order=oldest` begins with the first cause. */
export const GET = (request: Request, { params }: { params: Promise<EventParams> }): Promise<Response> =>
  answerEvent(request, params, ({ event, query }) =>
    textOf(printStacks(event.payload, query.get('order') === 'oldest' ? 'oldest' : 'newest')),
  );
