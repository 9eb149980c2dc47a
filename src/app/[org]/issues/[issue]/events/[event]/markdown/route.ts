import { describeEvent } from '#product/events/describe-event.ts';
import { answerEvent, type EventParams, textOf } from '../answer-event.ts';

/** All that matters about the event as Markdown, for whoever is to mend it. */
export const GET = (request: Request, { params }: { params: Promise<EventParams> }): Promise<Response> =>
  answerEvent(request, params, async ({ ctx, issue, event }) =>
    textOf(await describeEvent(ctx, issue, event)),
  );
