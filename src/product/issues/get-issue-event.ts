import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { eventScope } from '#product/visible-projects.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { StoredEvent } from '#storage/ports/events.ts';
import { type EventNeighbours, findEventNeighbours } from './find-event-neighbours.ts';
import { findEventsOfIssue } from './issue-events.ts';

export type IssueEvent = EventNeighbours & { event: StoredEvent };

/** As `findIssueEvent`, with its place among the events of the issue. */
export async function getIssueEvent(ctx: Context, issue: Issue, which: string): Promise<IssueEvent | null> {
  const event = await findIssueEvent(ctx, issue, which);
  return event && { event, ...(await findEventNeighbours(ctx, issue, event)) };
}

/** `which` is `recommended`, `latest`, `oldest` or an event id. null when the issue has no such event (any more). */
export async function findIssueEvent(ctx: Context, issue: Issue, which: string): Promise<StoredEvent | null> {
  requireRight(ctx, 'event:read');
  const scope = eventScope(ctx, [issue.projectId]);
  const events = await findEventsOfIssue(ctx, issue);
  if (which === 'recommended' || which === 'latest' || which === 'oldest') {
    return ctx.stores.events.findEdgeEvent(scope, events, which);
  }
  const eventId = parseEventId(which);
  const found = eventId === null ? null : await ctx.stores.events.findEvent(scope, eventId);
  return found && events.hashes.includes(found.groupingHash) ? found : null;
}
