import { visibleData } from '#lib/visible-text.ts';
import { findStack } from '../../../event/event-view.ts';
import { foldFrames } from '../../../event/stack/fold-frames.ts';
import { readStackOptions } from '../../../event/stack/stack-options.ts';
import { answerEvent, type EventParams, jsonOf, refuse } from '../answer-event.ts';

/** Rows of one stack of the event, from a place on, as the page folds them. */
export const GET = (request: Request, { params }: { params: Promise<EventParams> }): Promise<Response> =>
  answerEvent(request, params, ({ event, query }) => {
    const stack = findStack(event.payload, query.get('of') ?? '');
    const from = Number(query.get('from') ?? 0);
    if (!stack || !Number.isSafeInteger(from) || from < 0) return refuse(404, 'The event has no such stack');
    const { shape, order } = readStackOptions(Object.fromEntries(query), undefined);
    const rows = foldFrames(stack.frames, order, shape === 'all').slice(from);
    return jsonOf(JSON.stringify(visibleData(rows)));
  });
