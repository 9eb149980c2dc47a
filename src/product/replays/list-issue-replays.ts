import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import { findEventsOfIssue } from '#product/issues/issue-events.ts';
import { requireRight } from '#product/permissions.ts';
import { eventScope } from '#product/visible-projects.ts';

/** Ids of replays that recorded an error of the issue, the newest first, at most `limit`. */
export async function listIssueReplays(
  ctx: Context,
  issue: Issue,
  limit: number,
): Promise<readonly string[]> {
  requireRight(ctx, 'event:read');
  const events = await findEventsOfIssue(ctx, issue);
  return ctx.stores.telemetry.listIssueReplays(eventScope(ctx, [issue.projectId]), events, limit);
}
