import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope } from '#product/visible-projects.ts';
import type { IssueActivity } from '#storage/ports/events.ts';
import { findEventsOfIssue } from './issue-events.ts';

/** Events and users of one issue over time. For whole buckets give an aligned range. */
export async function getIssueTrend(
  ctx: Context,
  issue: Issue,
  input: { range: Range; bucketMs: number },
): Promise<IssueActivity> {
  requireRight(ctx, 'event:read');
  checkRange(input.range, input.bucketMs);
  const [activity] = await ctx.stores.events.countActivity(
    eventScope(ctx, [issue.projectId]),
    [await findEventsOfIssue(ctx, issue)],
    input.range,
    input.bucketMs,
  );
  if (!activity) throw new Error(`No activity was counted for issue ${issue.id}`);
  return activity;
}
