import type { Context } from '#product/context.ts';
import { decodeCursor, encodeCursor } from '#product/cursor.ts';
import { EVENT_PLACE, placeAfter } from '#product/events/event-place.ts';
import { checkLimit } from '#product/page-limit.ts';
import { requireRight } from '#product/permissions.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope } from '#product/visible-projects.ts';
import type { EventSummary } from '#storage/ports/events.ts';
import type { Issue } from '#storage/ports/issues.ts';
import { findEventsOfIssue } from './issue-events.ts';

/** Newest first. `range` null is any time. */
export async function listIssueEvents(
  ctx: Context,
  issue: Issue,
  input: { cursor: string | null; limit: number; range: Range | null },
): Promise<{ events: readonly EventSummary[]; nextCursor: string | null }> {
  requireRight(ctx, 'event:read');
  checkLimit(input.limit);
  if (input.range) checkRange(input.range);
  const before = decodeCursor(input.cursor, EVENT_PLACE);
  const page = await ctx.stores.events.listIssueEvents(
    eventScope(ctx, [issue.projectId]),
    await findEventsOfIssue(ctx, issue),
    { limit: input.limit, before, range: input.range },
  );
  const next = placeAfter(page);
  return { events: page.events, nextCursor: next && encodeCursor(next) };
}
