import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import { decodeCursor, encodeCursor } from '#product/cursor.ts';
import { findEventsOfIssue } from '#product/issues/issue-events.ts';
import { checkLimit } from '#product/page-limit.ts';
import { requireRight } from '#product/permissions.ts';
import { TELEMETRY_PLACE } from '#product/telemetry/telemetry-place.ts';
import { eventScope } from '#product/visible-projects.ts';
import type { DigestedFeedback } from '#protocol/telemetry.ts';

/** What people said about the events of an issue, newest first. */
export async function listIssueFeedback(
  ctx: Context,
  issue: Issue,
  input: { cursor: string | null; limit: number },
): Promise<{ rows: readonly DigestedFeedback[]; nextCursor: string | null }> {
  requireRight(ctx, 'event:read');
  checkLimit(input.limit);
  const before = decodeCursor(input.cursor, TELEMETRY_PLACE);
  const events = await findEventsOfIssue(ctx, issue);
  const { rows, next } = await ctx.stores.telemetry.listIssueFeedback(
    eventScope(ctx, [issue.projectId]),
    events,
    { limit: input.limit, before },
  );
  return { rows, nextCursor: next && encodeCursor(next) };
}
