import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { openIssueSearch } from '#product/search/open-issue-search.ts';
import { selectProjects } from '#product/visible-projects.ts';
import { ISSUES_PER_CALL_MAX } from './select-issues.ts';

/** The issues that a search finds, those seen last first, at most as many as can be changed at once. */
export async function findMatchingIssues(
  ctx: Context,
  input: { query: string; projectSlugs: readonly string[] },
): Promise<readonly Issue[]> {
  requireRight(ctx, 'event:read');
  const projects = await selectProjects(ctx, input.projectSlugs);
  const { expression } = await openIssueSearch(ctx, input.query, projects, { range: null });
  const projectIds = projects.map((project) => project.id);
  const page = await ctx.stores.issues.search(ctx.organization.id, projectIds, expression, {
    sort: 'date',
    limit: ISSUES_PER_CALL_MAX,
    after: null,
  });
  return page.issues;
}
