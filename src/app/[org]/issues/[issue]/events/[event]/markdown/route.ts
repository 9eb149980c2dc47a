import { describeEvent } from '#product/event-description/describe-event.ts';
import { textOf, withEvent } from '../with-event.ts';

/** All that matters about the event as Markdown, for whoever is to mend it. */
export const GET = withEvent(async ({ ctx, issue, event }) => textOf(await describeEvent(ctx, issue, event)));
