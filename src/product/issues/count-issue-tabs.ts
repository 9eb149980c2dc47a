import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { openIssueSearch } from '#product/search/open-issue-search.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { selectProjects } from '#product/visible-projects.ts';

/** Counting stops here: a larger number reads as "1000 or more". */
export const TAB_COUNT_MAX = 1_000;

/** What each tab of the stream searches for; `forYou` is empty for whoever cannot be assigned to. */
export const ISSUE_TABS = {
  unresolved: 'is:unresolved',
  forYou: 'is:unresolved assigned:me',
  regressed: 'is:unresolved is:regressed',
  escalating: 'is:unresolved is:escalating',
  archived: 'is:archived',
} as const;
export type IssueTab = keyof typeof ISSUE_TABS;

/** Issues per tab, counted up to 1,000. */
export async function countIssueTabs(
  ctx: Context,
  input: { projectSlugs: readonly string[]; environments?: readonly string[]; range: Range | null },
): Promise<Record<IssueTab, number>> {
  requireRight(ctx, 'event:read');
  if (input.range) checkRange(input.range);
  const projects = await selectProjects(ctx, input.projectSlugs);
  const projectIds = projects.map((project) => project.id);

  const tabs = TABS.filter((tab) => tab !== 'forYou' || ctx.actor.kind !== 'system');
  const searches = await Promise.all(
    tabs.map((tab) =>
      openIssueSearch(ctx, ISSUE_TABS[tab], projects, {
        range: input.range,
        environments: input.environments ?? [],
      }),
    ),
  );
  const counts = await ctx.stores.issues.countEach(
    ctx.organization.id,
    projectIds,
    searches.map(({ expression }) => expression),
    TAB_COUNT_MAX,
  );
  return Object.fromEntries(TABS.map((tab) => [tab, counts[tabs.indexOf(tab)] ?? 0])) as Record<
    IssueTab,
    number
  >;
}

const TABS = Object.keys(ISSUE_TABS) as readonly IssueTab[];
