import { visibleData } from '#lib/visible-text.ts';
import { formatValue } from '../../../event/values/format-value.ts';
import { valueAt } from '../../../event/values/value-place.ts';
import { answerEvent, type EventParams, refuse, textOf } from '../answer-event.ts';

/** One value of the event, whole, as text; `at` once for each name on the way to it. */
export const GET = (request: Request, { params }: { params: Promise<EventParams> }): Promise<Response> =>
  answerEvent(request, params, ({ event, query }) => {
    // Names are those that the page shows.
    const value = valueAt(visibleData(event.payload), query.getAll('at'));
    return value === undefined
      ? refuse(404, 'The event has no such value: it may have been scrubbed since')
      : textOf(formatValue(value));
  });
