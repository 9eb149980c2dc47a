import type { Issue } from '#domain/issues/issue.ts';
import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { checkLimit, decodeCursor, encodeCursor } from '#product/cursor.ts';
import { findEventsOfIssue, type IssueEventFilter, openIssueFilter } from '#product/issues/issue-events.ts';
import { requireRight } from '#product/permissions.ts';
import { getTelemetry, TELEMETRY_PLACE } from '#product/telemetry/telemetry.ts';
import { eventScope, selectProject } from '#product/visible-projects.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { DigestedAttachment } from '#protocol/telemetry.ts';

/** By name. Empty for an event that is not known: attachments may arrive before their event, or without it. */
export async function listEventAttachments(
  ctx: Context,
  input: { projectSlug: string; eventId: string },
): Promise<readonly DigestedAttachment[]> {
  requireRight(ctx, 'event:read');
  const project = await selectProject(ctx, input.projectSlug);
  const eventId = parseEventId(input.eventId);
  if (eventId === null) return [];
  return ctx.stores.telemetry.listEventAttachments(eventScope(ctx, [project.id]), eventId);
}

/** Files that came with the events of an issue, the last to arrive first. Throws Invalid for a bad search. */
export async function listIssueAttachments(
  ctx: Context,
  issue: Issue,
  input: IssueEventFilter & { cursor: string | null; limit: number },
): Promise<{ rows: readonly DigestedAttachment[]; nextCursor: string | null }> {
  requireRight(ctx, 'event:read');
  checkLimit(input.limit);
  const before = decodeCursor(input.cursor, TELEMETRY_PLACE);
  const { rows, next } = await ctx.stores.telemetry.listIssueAttachments(
    eventScope(ctx, [issue.projectId]),
    await findEventsOfIssue(ctx, issue),
    { limit: input.limit, before, filter: await openIssueFilter(ctx, issue, input) },
  );
  return { rows, nextCursor: next && encodeCursor(next) };
}

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
