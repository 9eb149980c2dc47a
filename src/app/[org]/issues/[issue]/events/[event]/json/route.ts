import { jsonOf, withEvent } from '../with-event.ts';

/** The event as it is stored. */
export const GET = withEvent(({ event }) => jsonOf(JSON.stringify(event.payload, null, 2)));
