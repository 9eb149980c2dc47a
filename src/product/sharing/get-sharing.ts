import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { IssueShare } from '#storage/ports/issue-shares.ts';

/** Whether an issue is shared, and whether it may be. */
export async function getSharing(
  ctx: Context,
  issue: Issue,
): Promise<{ isAllowed: boolean; share: IssueShare | null }> {
  requireRight(ctx, 'event:read');
  const { issueShares } = ctx.stores;
  const [isAllowed, share] = await Promise.all([
    issueShares.findAllowed(ctx.organization.id),
    issueShares.find(ctx.organization.id, issue.id, ctx.now()),
  ]);
  return { isAllowed, share: isAllowed ? share : null };
}
