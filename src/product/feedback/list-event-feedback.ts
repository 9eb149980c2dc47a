import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { eventScope, listVisibleProjects } from '#product/visible-projects.ts';
import type { DigestedFeedback } from '#protocol/telemetry.ts';

/** What people said about one event, newest first, at most 20; nothing of a project that the actor does not see. */
export async function listEventFeedback(
  ctx: Context,
  event: { projectId: number; eventId: string },
): Promise<readonly DigestedFeedback[]> {
  requireRight(ctx, 'event:read');
  const isVisible = (await listVisibleProjects(ctx)).some(({ id }) => id === event.projectId);
  if (!isVisible) return [];
  return ctx.stores.telemetry.listEventFeedback(eventScope(ctx, [event.projectId]), event.eventId);
}
