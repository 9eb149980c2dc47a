import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { eventScope, projectNotFound, selectProjects } from '#product/visible-projects.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { DigestedAttachment } from '#protocol/telemetry.ts';

/** By name. Empty for an event that is not known: attachments may arrive before their event, or without it. */
export async function listEventAttachments(
  ctx: Context,
  input: { projectSlug: string; eventId: string },
): Promise<readonly DigestedAttachment[]> {
  requireRight(ctx, 'event:read');
  const [project] = await selectProjects(ctx, [input.projectSlug]);
  if (!project) throw projectNotFound(ctx, input.projectSlug);
  const eventId = parseEventId(input.eventId);
  if (eventId === null) return [];
  return ctx.stores.telemetry.listEventAttachments(eventScope(ctx, [project.id]), eventId);
}
