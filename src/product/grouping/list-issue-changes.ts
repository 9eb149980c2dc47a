import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { GroupingChange } from '#storage/ports/regroup.ts';

const CHANGES_MAX = 20;

/** Merges, unmerges and regroups that touched the issue, newest first: as long as they can be undone. */
export async function listIssueChanges(ctx: Context, issue: Issue): Promise<readonly GroupingChange[]> {
  requireRight(ctx, 'event:read');
  return ctx.stores.regroups.listIssueChanges(ctx.organization.id, issue.id, CHANGES_MAX);
}
