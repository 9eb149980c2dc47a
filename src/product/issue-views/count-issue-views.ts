import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import { findPeopleViews } from '#product/issue-user-state/user-state.ts';
import { findEventsOfIssue, getIssueTrend, type IssueEventFilter } from '#product/issues/issue-events.ts';
import { requireRight } from '#product/permissions.ts';
import type { Range } from '#product/time-buckets.ts';
import { eventScope } from '#product/visible-projects.ts';

/** Attachments and feedback are counted up to this: a larger number reads as "99+". */
export const VIEW_COUNT_MAX = 100;

/** How much each view of an issue shows. */
export type IssueViewCounts = {
  /** Events that the filter leaves. */
  events: number;
  attachments: number;
  feedback: number;
  comments: number;
};

/** Throws Invalid for a bad search. */
export async function countIssueViews(
  ctx: Context,
  issue: Issue,
  filter: IssueEventFilter & { range: Range },
): Promise<IssueViewCounts> {
  requireRight(ctx, 'event:read');
  const scope = eventScope(ctx, [issue.projectId]);
  const events = await findEventsOfIssue(ctx, issue);
  const page = { limit: VIEW_COUNT_MAX, before: null };
  const bucketMs = filter.range.toMs - filter.range.fromMs;
  const [trend, attachments, feedback, people] = await Promise.all([
    getIssueTrend(ctx, issue, { ...filter, bucketMs }),
    ctx.stores.telemetry.listIssueAttachments(scope, events, page),
    ctx.stores.telemetry.listIssueFeedback(scope, events, page),
    findPeopleViews(ctx, [issue.id]),
  ]);
  return {
    events: trend.events,
    attachments: attachments.rows.length,
    feedback: feedback.rows.length,
    comments: people.get(issue.id)?.comments ?? 0,
  };
}
