import type { Context } from '#product/context.ts';
import { readIssueSearch } from '#product/search/read-issue-search.ts';
import { openScope } from '#product/search/search-problem.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import { createSaved, deleteSaved, listSaved, updateSaved } from './own-searches.ts';
import type { SavedSearch, SavedSearchInput } from './saved-search-store.ts';

/** The actor's own searches of issues, then the ones of everybody, each by name. */
export const listSavedSearches = async (ctx: Context): Promise<readonly SavedSearch[]> =>
  await listSaved(ctx, ctx.stores.savedSearches);

/** Throws as `createSaved`, and Invalid for a bad search. */
export const createSavedSearch = async (ctx: Context, input: SavedSearchInput): Promise<SavedSearch> =>
  await createSaved(ctx, ctx.stores.savedSearches, input, ({ query }) => checkSearch(ctx, query));

/** Throws as `updateSaved`, and Invalid for a bad search. */
export const updateSavedSearch = async (
  ctx: Context,
  searchId: number,
  change: Partial<SavedSearchInput>,
): Promise<SavedSearch> =>
  await updateSaved(ctx, ctx.stores.savedSearches, searchId, change, async () => {
    if (change.query !== undefined) await checkSearch(ctx, change.query);
  });

/** Throws NotFound; Forbidden when it is somebody else's. */
export const deleteSavedSearch = async (ctx: Context, searchId: number): Promise<void> =>
  await deleteSaved(ctx, ctx.stores.savedSearches, searchId);

/** Throws Invalid for a search that cannot be read. */
async function checkSearch(ctx: Context, query: string): Promise<void> {
  await readIssueSearch(query, openScope(ctx, await listVisibleProjects(ctx)));
}
