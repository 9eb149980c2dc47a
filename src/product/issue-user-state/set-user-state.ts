import { personalUserId } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { selectIssues } from '#product/issues/select-issues.ts';

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
