import { foldFrames } from '#app/[org]/issues/[issue]/event/stack/plan-stacks.ts';
import { refuse } from '#app/with-session.ts';
import { visibleData } from '#lib/visible-text.ts';
import { findStack } from '../../../event/event-view.ts';
import { asSent } from '../../../event/stack/as-sent.ts';
import { drawRows } from '../../../event/stack/draw-rows.ts';
import { loadFrameLinks } from '../../../event/stack/frame-links.ts';
import { readStackOptions } from '../../../event/stack/stack-options.ts';
import { jsonOf, withEvent } from '../with-event.ts';

/** Rows of one stack of the event, from a place on, as the page folds them. */
export const GET = withEvent(async ({ ctx, event, query }) => {
  const { shape, order, isAsSent } = readStackOptions(Object.fromEntries(query), undefined);
  const payload = isAsSent ? asSent(event.payload) : event.payload;
  const stack = findStack(payload, query.get('of') ?? '', await loadFrameLinks(ctx, event));
  const from = Number(query.get('from') ?? 0);
  if (!stack || !Number.isSafeInteger(from) || from < 0) return refuse(404, 'The event has no such stack');
  const rows = foldFrames(stack.frames, order, shape === 'all').slice(from);
  return jsonOf(JSON.stringify(drawRows(visibleData(rows), payload.platform)));
});
