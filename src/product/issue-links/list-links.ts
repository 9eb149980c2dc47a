import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { IssueLink } from '#storage/ports/issue-links.ts';

/** Issues of other systems that an issue is linked to, oldest first. */
export async function listLinks(ctx: Context, issue: Issue): Promise<readonly IssueLink[]> {
  requireRight(ctx, 'event:read');
  return ctx.stores.issueLinks.list(ctx.organization.id, issue.id);
}
