import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { SavedSearch, SavedSearchInput } from '#storage/ports/saved-searches.ts';
import { checkSavedSearch } from './check-saved-search.ts';
import { ownSavedSearch, savedSearchNotFound } from './own-saved-search.ts';

/** Throws NotFound, Invalid for a bad name or search, Conflict for a name that is taken. */
export async function updateSavedSearch(
  ctx: Context,
  searchId: number,
  change: Partial<SavedSearchInput>,
): Promise<SavedSearch> {
  const search = await ownSavedSearch(ctx, searchId);
  if (change.isShared) requireRight(ctx, 'event:write');
  if (Object.keys(change).length === 0) return search;
  const checked = await checkSavedSearch(ctx, change);
  const updated = await ctx.stores.savedSearches.update(ctx.organization.id, searchId, checked);
  if (!updated) throw savedSearchNotFound(ctx, searchId);
  return updated;
}
