import { personalUserId } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { selectIssues } from '#product/issues/select-issues.ts';

export type MarkChange = { isBookmarked?: boolean; isSubscribed?: boolean; hasSeen?: boolean };

/**
 * What the acting user keeps for themselves of issues; others are left alone. Bookmarking subscribes, but for whoever
 * chose not to be. Answers how many issues were found. Throws Invalid for too many ids.
 */
export async function markIssues(
  ctx: Context,
  input: { issueIds: readonly number[]; change: MarkChange; projectSlugs?: readonly string[] },
): Promise<number> {
  const userId = personalUserId(ctx);
  const issues = await selectIssues(ctx, input.issueIds, input.projectSlugs);
  const ids = issues.map((issue) => issue.id);
  const organizationId = ctx.organization.id;
  const { issueMarks } = ctx.stores;
  const { isBookmarked, isSubscribed, hasSeen } = input.change;
  if (ids.length === 0) return 0;
  if (isBookmarked !== undefined) await issueMarks.setBookmarked(organizationId, ids, userId, isBookmarked);
  if (isBookmarked) await issueMarks.subscribe(organizationId, ids, [userId], 'bookmarked');
  if (isSubscribed !== undefined) await issueMarks.setSubscribed(organizationId, ids, userId, isSubscribed);
  if (hasSeen !== undefined) await issueMarks.setSeen(organizationId, ids, userId, hasSeen, ctx.now());
  return ids.length;
}
