import { answerEvent, type EventParams, jsonOf } from '../answer-event.ts';

/** The event as it is stored. */
export const GET = (request: Request, { params }: { params: Promise<EventParams> }): Promise<Response> =>
  answerEvent(request, params, ({ event }) => jsonOf(JSON.stringify(event.payload, null, 2)));
