import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { getTelemetry } from '#product/telemetry/get-telemetry.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { DigestedAttachment } from '#protocol/telemetry.ts';

/** Throws NotFound when the event has no such attachment. */
export async function getEventAttachment(
  ctx: Context,
  input: { projectSlug: string; eventId: string; attachmentId: string },
): Promise<DigestedAttachment> {
  const attachment = await getTelemetry(ctx, 'attachments', {
    projectSlug: input.projectSlug,
    id: input.attachmentId,
  });
  if (attachment.eventId !== parseEventId(input.eventId)) {
    throw notFound(`The attachment "${input.attachmentId.slice(0, 40)}" belongs to another event`);
  }
  return attachment;
}
