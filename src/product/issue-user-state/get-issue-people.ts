import type { Issue } from '#domain/issues/issue.ts';
import { userIdOf } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { IssueUserState, SeenBy, Subscriber } from '#storage/ports/issue-user-state.ts';

const PEOPLE_MAX = 100;

export const NO_USER_STATE: IssueUserState = { isBookmarked: false, subscription: null, hasSeen: false };

export type IssuePeople = {
  /** Of whoever asks. */
  userState: IssueUserState;
  subscribers: readonly Subscriber[];
  /** Latest first. */
  seenBy: readonly SeenBy[];
};

/** Who follows and who has seen an issue, at most 100 of each. */
export async function getIssuePeople(ctx: Context, issue: Issue): Promise<IssuePeople> {
  requireRight(ctx, 'event:read');
  const { issueUserState } = ctx.stores;
  const [userState, subscribers, seenBy] = await Promise.all([
    findUserState(ctx, [issue.id]),
    issueUserState.listSubscribers(ctx.organization.id, issue.id, PEOPLE_MAX),
    issueUserState.listSeenBy(ctx.organization.id, issue.id, PEOPLE_MAX),
  ]);
  return { userState: userState.get(issue.id) ?? NO_USER_STATE, subscribers, seenBy };
}

/** What whoever asks made of each issue. */
export async function findUserState(
  ctx: Context,
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, IssueUserState>> {
  const userId = userIdOf(ctx);
  if (userId === null || issueIds.length === 0) return new Map();
  return ctx.stores.issueUserState.findUserState(ctx.organization.id, issueIds, userId);
}
