import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { eventScope } from '#product/visible-projects.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { StoredEvent } from '#storage/ports/events.ts';
import type { Issue } from '#storage/ports/issues.ts';
import type { EventNeighbours } from './find-event-neighbours.ts';
import { findEventsOfIssue } from './issue-events.ts';

export type IssueEvent = EventNeighbours & { event: StoredEvent };

/** `which` is `recommended`, `latest`, `oldest` or an event id. null when the issue has no such event (any more). */
export async function getIssueEvent(ctx: Context, issue: Issue, which: string): Promise<IssueEvent | null> {
  requireRight(ctx, 'event:read');
  const scope = eventScope(ctx, [issue.projectId]);
  const events = await findEventsOfIssue(ctx, issue);
  const event = await findEvent();
  return event && { event, ...(await ctx.stores.events.findNeighbours(scope, events, event)) };

  async function findEvent(): Promise<StoredEvent | null> {
    if (which === 'recommended' || which === 'latest' || which === 'oldest') {
      return ctx.stores.events.findEdgeEvent(scope, events, which);
    }
    const eventId = parseEventId(which);
    const found = eventId === null ? null : await ctx.stores.events.findEvent(scope, eventId);
    return found && events.hashes.includes(found.groupingHash) ? found : null;
  }
}
