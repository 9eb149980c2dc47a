import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import { findPeopleViews } from '#product/issue-user-state/user-state.ts';
import { findEventsOfIssue, type IssueEventFilter, openIssueFilter } from '#product/issues/issue-events.ts';
import { requireRight } from '#product/permissions.ts';
import { eventScope } from '#product/visible-projects.ts';

/** Attachments and feedback are counted up to this: a larger number reads as "99+". */
export const VIEW_COUNT_MAX = 100;

/** How much the views beside the events of an issue show: attachments and feedback of the events that the filter leaves. */
export type IssueViewCounts = { attachments: number; feedback: number; comments: number };

/** Throws Invalid for a bad search. */
export async function countIssueViews(
  ctx: Context,
  issue: Issue,
  input: IssueEventFilter,
): Promise<IssueViewCounts> {
  requireRight(ctx, 'event:read');
  const scope = eventScope(ctx, [issue.projectId]);
  const events = await findEventsOfIssue(ctx, issue);
  const filter = await openIssueFilter(ctx, issue, input);
  const page = { limit: VIEW_COUNT_MAX, before: null, filter };
  const [attachments, feedback, people] = await Promise.all([
    ctx.stores.telemetry.listIssueAttachments(scope, events, page),
    ctx.stores.telemetry.listIssueFeedback(scope, events, page),
    findPeopleViews(ctx, [issue.id]),
  ]);
  return {
    attachments: attachments.rows.length,
    feedback: feedback.rows.length,
    comments: people.get(issue.id)?.comments ?? 0,
  };
}
