import { withSession } from '#app/with-session.ts';
import { setUserState } from '#product/issue-user-state/user-state.ts';
import { getIssue } from '#product/issues/get-issue.ts';

/** The page of the issue says that its reader has opened it. */
export const POST = withSession<{ org: string; issue: string }>(async ({ ctx, params }) => {
  const issue = await getIssue(ctx, params.issue);
  await setUserState(ctx, { issueIds: [issue.id], change: { hasSeen: true } });
  return new Response(null, { status: 204 });
});
