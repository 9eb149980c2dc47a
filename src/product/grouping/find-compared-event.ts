import { invalid, notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import { findEventsOfIssue } from '#product/issues/issue-events.ts';
import { eventScope, listVisibleProjects } from '#product/visible-projects.ts';
import { parseEventId } from '#protocol/event-id.ts';
import { isShortId } from '#protocol/short-id.ts';
import type { StoredEvent } from '#storage/ports/events.ts';

/** The event of an id, or the newest one with a body of an issue's short id. Throws Invalid and NotFound. */
export async function findComparedEvent(ctx: Context, name: string): Promise<StoredEvent> {
  const eventId = parseEventId(name);
  if (eventId === null && !isShortId(name)) {
    throw invalid('Give the short id of an issue, such as WEB-3F, or the id of an event', 'with');
  }
  const event = eventId === null ? await ofIssue(name) : await byId(eventId);
  if (!event) throw notFound(`No event of "${name.slice(0, 80)}" is stored (any more)`);
  return event;

  async function byId(id: string): Promise<StoredEvent | null> {
    const projects = await listVisibleProjects(ctx);
    return ctx.stores.events.findEvent(
      eventScope(
        ctx,
        projects.map((project) => project.id),
      ),
      id,
    );
  }

  async function ofIssue(shortId: string): Promise<StoredEvent | null> {
    const issue = await getIssue(ctx, shortId);
    const scope = eventScope(ctx, [issue.projectId]);
    return ctx.stores.events.findEdgeEvent(scope, await findEventsOfIssue(ctx, issue), 'recommended');
  }
}
