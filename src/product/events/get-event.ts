import type { Issue } from '#domain/issues/issue.ts';
import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { eventScope, projectNotFound, selectProjects } from '#product/visible-projects.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { StoredEvent } from '#storage/ports/events.ts';

/** Throws NotFound when the project has no such event. `issue` is null when the event's issue is gone. */
export async function getEvent(
  ctx: Context,
  input: { projectSlug: string; eventId: string },
): Promise<{ event: StoredEvent; issue: Issue | null }> {
  requireRight(ctx, 'event:read');
  const [project] = await selectProjects(ctx, [input.projectSlug]);
  if (!project) throw projectNotFound(ctx, input.projectSlug);
  const eventId = parseEventId(input.eventId);
  const event =
    eventId === null ? null : await ctx.stores.events.findEvent(eventScope(ctx, [project.id]), eventId);
  if (!event) {
    throw notFound(
      `The project ${project.slug} has no event "${input.eventId.slice(0, 40)}": it may still be on its way, or past its retention`,
    );
  }
  return {
    event,
    issue: await ctx.stores.issues.findByHash(ctx.organization.id, project.id, event.groupingHash),
  };
}
