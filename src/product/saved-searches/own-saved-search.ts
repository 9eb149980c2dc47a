import { notFound } from '#lib/errors.ts';
import { personalUserId, userIdOf } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { hasRight, requireRight } from '#product/permissions.ts';
import type { SavedSearch } from '#storage/ports/saved-searches.ts';

/** A saved search that the actor may change: an own one, or a shared one of others with org:write. Throws NotFound. */
export async function ownSavedSearch(ctx: Context, searchId: number): Promise<SavedSearch> {
  const userId = personalUserId(ctx);
  const search = await ctx.stores.savedSearches.find(ctx.organization.id, userId, searchId);
  if (!search) throw savedSearchNotFound(ctx, searchId);
  if (search.userId !== userId) requireRight(ctx, 'org:write');
  else if (search.isShared) requireRight(ctx, 'event:write');
  return search;
}

/** Whether the actor may change the search, for showing what is possible. */
export const mayChange = (ctx: Context, search: SavedSearch): boolean =>
  userIdOf(ctx) !== null &&
  (search.userId === userIdOf(ctx)
    ? !search.isShared || hasRight(ctx.actor, 'event:write')
    : hasRight(ctx.actor, 'org:write'));

export const savedSearchNotFound = (ctx: Context, searchId: number) =>
  notFound(`The organization ${ctx.organization.slug} has no saved search ${searchId}`);
