import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import { decodeCursor, encodeCursor } from '#product/cursor.ts';
import { findEventsOfIssue } from '#product/issues/issue-events.ts';
import { checkLimit } from '#product/page-limit.ts';
import { requireRight } from '#product/permissions.ts';
import { TELEMETRY_PLACE } from '#product/telemetry/telemetry-place.ts';
import { eventScope } from '#product/visible-projects.ts';
import type { DigestedAttachment } from '#protocol/telemetry.ts';

/** Files that came with the events of an issue, the last to arrive first. */
export async function listIssueAttachments(
  ctx: Context,
  issue: Issue,
  input: { cursor: string | null; limit: number },
): Promise<{ rows: readonly DigestedAttachment[]; nextCursor: string | null }> {
  requireRight(ctx, 'event:read');
  checkLimit(input.limit);
  const before = decodeCursor(input.cursor, TELEMETRY_PLACE);
  const { rows, next } = await ctx.stores.telemetry.listIssueAttachments(
    eventScope(ctx, [issue.projectId]),
    await findEventsOfIssue(ctx, issue),
    { limit: input.limit, before },
  );
  return { rows, nextCursor: next && encodeCursor(next) };
}
