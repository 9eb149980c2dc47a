import type { Context } from '#product/context.ts';
import { ownSavedSearch } from './own-saved-search.ts';

/** Throws NotFound; Forbidden when it is somebody else's. */
export async function deleteSavedSearch(ctx: Context, searchId: number): Promise<void> {
  const search = await ownSavedSearch(ctx, searchId);
  await ctx.stores.savedSearches.delete(ctx.organization.id, search.id);
}
