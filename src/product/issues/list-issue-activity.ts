import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { Activity, Issue } from '#storage/ports/issues.ts';

const ACTIVITIES_MAX = 100;

/** What people and the system did to the issue, newest first, at most 100. */
export async function listIssueActivity(ctx: Context, issue: Issue): Promise<readonly Activity[]> {
  requireRight(ctx, 'event:read');
  return ctx.stores.issues.listActivity(ctx.organization.id, issue.id, ACTIVITIES_MAX);
}
