import { conflict } from '#lib/errors.ts';
import { personalUserId } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { SavedSearch, SavedSearchInput } from '#storage/ports/saved-searches.ts';
import { checkSavedSearch } from './check-saved-search.ts';

/** Searches that one person saves in an organization. */
export const SAVED_SEARCHES_PER_USER_MAX = 50;

/**
 * Everybody saves searches of their own; sharing one needs event:write. Throws Invalid for a bad name or search,
 * Conflict for a name that is taken.
 */
export async function createSavedSearch(ctx: Context, input: SavedSearchInput): Promise<SavedSearch> {
  requireRight(ctx, input.isShared ? 'event:write' : 'event:read');
  const userId = personalUserId(ctx);
  const checked = await checkSavedSearch(ctx, input);
  const { savedSearches } = ctx.stores;
  if ((await savedSearches.count(ctx.organization.id, userId)) >= SAVED_SEARCHES_PER_USER_MAX) {
    throw conflict(`You have ${SAVED_SEARCHES_PER_USER_MAX} saved searches: delete one first`);
  }
  return await savedSearches.create(ctx.organization.id, userId, checked, ctx.now());
}
