import { privateJson, withSession } from '#app/with-session.ts';
import { findNewestActivity } from '#product/comments/list-activities.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import { pulseOf } from '../issue-pulse.ts';

/** The little that a page of an issue asks for when something happened in its project. */
export const GET = withSession<{ org: string; issue: string }>(async ({ ctx, params }) => {
  const issue = await getIssue(ctx, params.issue);
  return privateJson(pulseOf(issue, await findNewestActivity(ctx, issue)));
});
