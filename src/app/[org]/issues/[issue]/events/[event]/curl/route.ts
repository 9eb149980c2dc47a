import { curlCommand } from '../../../event/curl-command.ts';
import { answerEvent, type EventParams, refuse, textOf } from '../answer-event.ts';

/** The request of the event as a command line. */
export const GET = (request: Request, { params }: { params: Promise<EventParams> }): Promise<Response> =>
  answerEvent(request, params, ({ event }) =>
    event.payload.request
      ? textOf(curlCommand(event.payload.request))
      : refuse(404, 'The event has no request'),
  );
