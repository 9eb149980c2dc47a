import { formatValue, valueAt } from '#app/[org]/issues/[issue]/event/values/value-location.ts';
import { refuse } from '#app/with-session.ts';
import { visibleData } from '#lib/visible-text.ts';
import { textOf, withEvent } from '../with-event.ts';

/** One value of the event, whole, as text; `at` once for each name on the way to it. */
export const GET = withEvent(({ event, query }) => {
  // Names are those that the page shows.
  const value = valueAt(visibleData(event.payload), query.getAll('at'));
  return value === undefined
    ? refuse(404, 'The event has no such value: it may have been scrubbed since')
    : textOf(formatValue(value));
});
