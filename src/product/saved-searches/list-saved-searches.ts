import { userIdOf } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { SavedSearch } from '#storage/ports/saved-searches.ts';

/** What one list shows. */
export const SAVED_SEARCHES_MAX = 200;

/** The actor's own searches, then the ones of everybody, each by name. */
export async function listSavedSearches(ctx: Context): Promise<readonly SavedSearch[]> {
  requireRight(ctx, 'event:read');
  const userId = userIdOf(ctx) ?? '';
  return await ctx.stores.savedSearches.list(ctx.organization.id, userId, SAVED_SEARCHES_MAX);
}
