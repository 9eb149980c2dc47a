import type { Issue } from '#domain/issues/issue.ts';
import { personalUserId, userIdOf } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { selectIssues } from '#product/issues/get-issue.ts';
import { requireRight } from '#product/permissions.ts';
import type { IssueUserState, SeenBy, Subscriber } from './issue-user-state-store.ts';

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

/** What a list shows of what people made of an issue. */
export type IssuePeopleView = {
  /** Of whoever asks. */
  userState: IssueUserState;
  comments: number;
  /** Whether it has a public page. */
  isShared: boolean;
};

/** One entry for each id, whatever their number by three queries. */
export async function findPeopleViews(
  ctx: Context,
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, IssuePeopleView>> {
  requireRight(ctx, 'event:read');
  if (issueIds.length === 0) return new Map();
  const { comments, issueShares } = ctx.stores;
  const organizationId = ctx.organization.id;
  const [userState, counts, shared] = await Promise.all([
    findUserState(ctx, issueIds),
    comments.count(organizationId, issueIds),
    issueShares.findShared(organizationId, issueIds, ctx.now()),
  ]);
  return new Map(
    issueIds.map((id) => [
      id,
      {
        userState: userState.get(id) ?? NO_USER_STATE,
        comments: counts.get(id) ?? 0,
        isShared: shared.has(id),
      },
    ]),
  );
}

export type UserStateChange = { isBookmarked?: boolean; isSubscribed?: boolean; hasSeen?: boolean };

/**
 * What the acting user keeps for themselves of issues; others are left alone. Bookmarking subscribes, but for whoever
 * chose not to be. Answers how many issues were found. Throws Invalid for too many ids.
 */
export async function setUserState(
  ctx: Context,
  input: { issueIds: readonly number[]; change: UserStateChange; projectSlugs?: readonly string[] },
): Promise<number> {
  const userId = personalUserId(ctx);
  const issues = await selectIssues(ctx, input.issueIds, input.projectSlugs);
  const ids = issues.map((issue) => issue.id);
  const organizationId = ctx.organization.id;
  const { issueUserState } = ctx.stores;
  const { isBookmarked, isSubscribed, hasSeen } = input.change;
  if (ids.length === 0) return 0;
  if (isBookmarked !== undefined)
    await issueUserState.setBookmarked(organizationId, ids, userId, isBookmarked);
  if (isBookmarked) await issueUserState.subscribe(organizationId, ids, [userId], 'bookmarked');
  if (isSubscribed !== undefined)
    await issueUserState.setSubscribed(organizationId, ids, userId, isSubscribed);
  if (hasSeen !== undefined) await issueUserState.setSeen(organizationId, ids, userId, hasSeen, ctx.now());
  return ids.length;
}
