import type { Issue } from '#domain/issues/issue.ts';
import { userIdOf } from '#product/acting-user.ts';
import { audited, issueTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';

/** The public page of the issue is gone. False when it was not shared. */
export async function stopSharing(ctx: Context, issue: Issue): Promise<boolean> {
  requireRight(ctx, 'event:write');
  return audited(
    ctx,
    (ctx) => ctx.stores.issueShares.remove(ctx.organization.id, issue.id, userIdOf(ctx), ctx.now()),
    (wasShared) => (wasShared ? { action: 'issue.unshare', target: issueTarget(issue) } : null),
  );
}
