import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { openIssueSearch } from '#product/search/open-issue-search.ts';
import { listVisibleProjects, selectProjects } from '#product/visible-projects.ts';
import { ISSUES_PER_CALL_MAX } from './get-issue.ts';

const ISSUES_MAX = 8;
const WORDS_MAX = 10;
const TEXT_CHARACTERS_MAX = 200;

/**
 * Up to eight issues that have all the words in their short id, title, culprit or message, last seen first, in whatever
 * state. Empty for a text without words.
 */
export async function findIssuesByWords(ctx: Context, text: string): Promise<readonly Issue[]> {
  requireRight(ctx, 'event:read');
  const words = text.slice(0, TEXT_CHARACTERS_MAX).replaceAll('\0', '').split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const projects = await listVisibleProjects(ctx);
  const { issues } = await ctx.stores.issues.search(
    ctx.organization.id,
    projects.map((project) => project.id),
    {
      kind: 'and',
      parts: words.slice(0, WORDS_MAX).map((word) => ({
        kind: 'words',
        match: { kind: 'pattern', parts: ['', word, ''] },
        isNegated: false,
      })),
    },
    { sort: 'date', limit: ISSUES_MAX },
  );
  return issues;
}

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
  });
  return page.issues;
}
