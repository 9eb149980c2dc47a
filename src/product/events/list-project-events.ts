import { z } from 'zod';
import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import { checkLimit, decodeCursor, encodeCursor } from '#product/cursor.ts';
import { requireRight } from '#product/permissions.ts';
import { openEventSearch } from '#product/search/read-event-search.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope, selectProject } from '#product/visible-projects.ts';
import type { EventPage, EventSummary } from '#storage/ports/events.ts';

/** An event with the issue that it belongs to; null when the issue is gone. */
export type ProjectEvent = { event: EventSummary; issue: Issue | null };

/** Events of a project, newest first. `range` null is any time, `query` absent is any event. Throws Invalid. */
export async function listProjectEvents(
  ctx: Context,
  input: {
    projectSlug: string;
    cursor: string | null;
    limit: number;
    range?: Range | null;
    query?: string;
    environments?: readonly string[];
  },
): Promise<{ events: readonly ProjectEvent[]; nextCursor: string | null }> {
  requireRight(ctx, 'event:read');
  checkLimit(input.limit);
  const range = input.range ?? null;
  if (range) checkRange(range);
  const before = decodeCursor(input.cursor, EVENT_PLACE);
  const project = await selectProject(ctx, input.projectSlug);

  const page = await ctx.stores.events.listEvents(eventScope(ctx, [project.id]), {
    limit: input.limit,
    before,
    range,
    ...(await openEventSearch(ctx, input.query, [project], input.environments)),
  });
  const issues = await findIssuesByHash(ctx, project.id, page.events);
  const next = placeAfter(page);
  return {
    events: page.events.map((event) => ({ event, issue: issues.get(event.groupingHash) ?? null })),
    nextCursor: next && encodeCursor(next),
  };
}

/** At most as many look-ups as the page has rows. */
async function findIssuesByHash(
  ctx: Context,
  projectId: number,
  events: readonly EventSummary[],
): Promise<ReadonlyMap<string, Issue | null>> {
  const hashes = [...new Set(events.map((event) => event.groupingHash))];
  const issues = await Promise.all(
    hashes.map((hash) => ctx.stores.issues.findByHash(ctx.organization.id, projectId, hash)),
  );
  return new Map(hashes.map((hash, index) => [hash, issues[index] ?? null]));
}

/** A place in a list of events, newest first: the last event of the page before. */
export const EVENT_PLACE = z.object({
  occurredAt: z.number().int().nonnegative(),
  eventId: z.string().regex(/^[0-9a-f]{32}$/),
});
export type EventPlace = z.infer<typeof EVENT_PLACE>;

/** Where the next page begins; null after the last one. */
export function placeAfter(page: EventPage): EventPlace | null {
  const last = page.events.at(-1);
  return page.hasMore && last ? { occurredAt: last.occurredAt, eventId: last.eventId } : null;
}
