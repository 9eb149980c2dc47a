import { refuse } from '#app/with-session.ts';
import { curlCommand } from '../../../event/curl-command.ts';
import { textOf, withEvent } from '../with-event.ts';

/** The request of the event as a command line. */
export const GET = withEvent(({ event }) =>
  event.payload.request
    ? textOf(curlCommand(event.payload.request))
    : refuse(404, 'The event has no request'),
);
