import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import { decodeCursor, encodeCursor } from '#product/cursor.ts';
import { EVENT_PLACE, placeAfter } from '#product/events/event-place.ts';
import { checkLimit } from '#product/page-limit.ts';
import { requireRight } from '#product/permissions.ts';
import { openEventSearch } from '#product/search/open-event-search.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope, listVisibleProjects } from '#product/visible-projects.ts';
import type { EventSummary } from '#storage/ports/events.ts';
import { findEventsOfIssue } from './issue-events.ts';

/** Newest first. `range` null is any time, `query` absent every event. Throws Invalid for a bad search. */
export async function listIssueEvents(
  ctx: Context,
  issue: Issue,
  input: {
    cursor: string | null;
    limit: number;
    range: Range | null;
    query?: string;
    environments?: readonly string[];
  },
): Promise<{ events: readonly EventSummary[]; nextCursor: string | null }> {
  requireRight(ctx, 'event:read');
  checkLimit(input.limit);
  if (input.range) checkRange(input.range);
  const before = decodeCursor(input.cursor, EVENT_PLACE);
  const scope = eventScope(ctx, [issue.projectId]);
  const projects = await listVisibleProjects(ctx);
  const expression = await openEventSearch(
    ctx,
    input.query,
    projects.filter((project) => project.id === issue.projectId),
    input.environments,
  );
  const page = await ctx.stores.events.listIssueEvents(scope, await findEventsOfIssue(ctx, issue), {
    limit: input.limit,
    before,
    range: input.range,
    ...expression,
  });
  const next = placeAfter(page);
  return { events: page.events, nextCursor: next && encodeCursor(next) };
}
