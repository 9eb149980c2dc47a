import type { Issue } from '#domain/issues/issue.ts';
import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { eventScope, listVisibleProjects } from '#product/visible-projects.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { StoredEvent } from '#storage/ports/events.ts';
import type { Project } from '#storage/ports/projects.ts';

/** An event of any project that whoever asks sees. `issue` is null when it is gone. Throws NotFound. */
export async function findEventAnywhere(
  ctx: Context,
  eventIdText: string,
): Promise<{ event: StoredEvent; issue: Issue | null; project: Project }> {
  requireRight(ctx, 'event:read');
  const projects = await listVisibleProjects(ctx);
  const scope = eventScope(
    ctx,
    projects.map((project) => project.id),
  );
  const eventId = parseEventId(eventIdText);
  const event = eventId === null ? null : await ctx.stores.events.findEvent(scope, eventId);
  const project = projects.find(({ id }) => id === event?.projectId);
  if (!event || !project) {
    throw notFound(
      `The organization ${ctx.organization.slug} has no event "${eventIdText.slice(0, 40)}": it may still be on its way, or past its retention`,
    );
  }
  const issue = await ctx.stores.issues.findByHash(ctx.organization.id, project.id, event.groupingHash);
  return { event, issue, project };
}
