import type { IssueUpdateBody } from '#app/api/0/endpoints/issues/issue-update.ts';
import { API_STATUS, serializeCondition, serializeResolution } from '#app/api/0/shapes/status-details.ts';
import type { Issue, IssueChange } from '#domain/issues/issue.ts';
import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { mergeIssues } from '#product/grouping/merge-issues.ts';
import { deleteIssues } from '#product/issue-deletion/delete-issues.ts';
import { setUserState } from '#product/issue-user-state/user-state.ts';
import { updateIssues } from '#product/issues/update-issues.ts';
import { getSharing, SHARE_DAYS_DEFAULT, shareIssue, stopSharing } from '#product/sharing/sharing.ts';

/** Does all that a body asks for; answers what was changed, as Sentry does. */
export async function updateSelected(
  ctx: Context,
  issues: readonly Issue[],
  body: IssueUpdateBody,
): Promise<object> {
  const issueIds = issues.map(({ id }) => id);
  const { change, userState, isPublic } = body;
  if (body.discard) return discard(ctx, issueIds, body);
  if (body.merge) return merge(ctx, issueIds, body);
  if (change) await updateIssues(ctx, { issueIds, change });
  const hasUserState = Object.keys(userState).length > 0;
  if (hasUserState) await setUserState(ctx, { issueIds, change: userState });
  const shareId = isPublic === null ? null : await publish(ctx, issues, isPublic);
  if (!change && !hasUserState && isPublic === null) {
    throw invalid(
      'Nothing to update: send a status, a priority, an assignee, or user state such as isBookmarked',
    );
  }
  return {
    ...(change ? describeChange(change) : {}),
    ...userState,
    ...(isPublic === null ? {} : { isPublic }),
    ...(shareId === null ? {} : { shareId }),
  };
}

async function discard(ctx: Context, issueIds: readonly number[], body: IssueUpdateBody): Promise<object> {
  if (body.change || body.merge || body.isPublic !== null || Object.keys(body.userState).length > 0) {
    throw invalid('An issue cannot be discarded and updated in the same request', 'discard');
  }
  await deleteIssues(ctx, { issueIds, discard: true });
  return { discard: true };
}

/** Source: https://docs.sentry.io/api/events/bulk-mutate-a-list-of-issues/ */
async function merge(ctx: Context, issueIds: readonly number[], body: IssueUpdateBody): Promise<object> {
  if (body.change || body.isPublic !== null || Object.keys(body.userState).length > 0) {
    throw invalid('Issues cannot be merged and updated in the same request', 'merge');
  }
  const { target, children } = await mergeIssues(ctx, { issueIds });
  return { merge: { parent: String(target.id), children: children.map(({ id }) => String(id)) } };
}

/** Those that are shared already keep their address. The token of a new one is answered where it is one: only now. */
async function publish(ctx: Context, issues: readonly Issue[], isPublic: boolean): Promise<string | null> {
  const tokens: string[] = [];
  for (const issue of issues) {
    if (!isPublic) await stopSharing(ctx, issue);
    else if ((await getSharing(ctx, issue)).share === null) {
      tokens.push((await shareIssue(ctx, issue, { days: SHARE_DAYS_DEFAULT })).token);
    }
  }
  return tokens.length === 1 ? (tokens[0] ?? null) : null;
}

function describeChange({ status, substatus, priority, ...change }: IssueChange) {
  const { resolution, archive, assigneeUserId, assigneeTeamId } = change;
  return {
    ...(status === undefined
      ? {}
      : {
          status: API_STATUS[status],
          ...(substatus ? { substatus } : {}),
          statusDetails: {
            ...(resolution ? serializeResolution(resolution) : {}),
            ...(archive ? serializeCondition(archive) : {}),
          },
        }),
    ...(priority === undefined ? {} : { priority }),
    ...(assigneeUserId === undefined && assigneeTeamId === undefined
      ? {}
      : { assignedTo: describeAssignee(assigneeUserId ?? null, assigneeTeamId ?? null) }),
  };
}

function describeAssignee(userId: string | null, teamId: number | null) {
  if (teamId !== null) return { type: 'team', id: String(teamId) };
  return userId === null ? null : { type: 'user', id: userId };
}
