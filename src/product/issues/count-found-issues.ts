import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { openIssueSearch } from '#product/search/open-issue-search.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { selectProjects } from '#product/visible-projects.ts';

/** Searches that one request counts. */
const SEARCHES_MAX = 10;
/** Counting stops here: the number means so many or more. */
const FOUND_MAX = 100;

/** How many issues each search finds, up to 100. Throws Invalid, and NotFound for a project that is not visible. */
export async function countFoundIssues(
  ctx: Context,
  input: {
    queries: readonly string[];
    projectSlugs: readonly string[];
    environments: readonly string[];
    range: Range | null;
  },
): Promise<ReadonlyMap<string, number>> {
  requireRight(ctx, 'event:read');
  if (input.range) checkRange(input.range);
  if (input.queries.length > SEARCHES_MAX) throw invalid(`Count at most ${SEARCHES_MAX} searches`, 'query');
  const projects = await selectProjects(ctx, input.projectSlugs);
  const projectIds = projects.map(({ id }) => id);
  const { range, environments } = input;
  const searches = await Promise.all(
    input.queries.map((query) => openIssueSearch(ctx, query, projects, { range, environments })),
  );
  const found = await ctx.stores.issues.countEach(
    ctx.organization.id,
    projectIds,
    searches.map(({ expression }) => expression),
    FOUND_MAX,
  );
  return new Map(input.queries.map((query, index) => [query, found[index] ?? 0]));
}
