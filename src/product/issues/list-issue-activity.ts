import type { Activity, Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';

const ACTIVITIES_MAX = 100;

/** What people and the system did to the issue, newest first, at most 100. */
export async function listIssueActivity(ctx: Context, issue: Issue): Promise<readonly Activity[]> {
  requireRight(ctx, 'event:read');
  return ctx.stores.issues.listActivity(ctx.organization.id, issue.id, ACTIVITIES_MAX);
}
