import { conflict, invalid, notFound } from '#lib/errors.ts';
import { personalUserId, userIdOf } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { hasRight, requireRight } from '#product/permissions.ts';
import { readIssueSearch } from '#product/search/read-issue-search.ts';
import { openScope } from '#product/search/search-problem.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import type { SavedSearch, SavedSearchInput } from './saved-search-store.ts';

/** What one list shows. */
export const SAVED_SEARCHES_MAX = 200;

/** The actor's own searches, then the ones of everybody, each by name. */
export async function listSavedSearches(ctx: Context): Promise<readonly SavedSearch[]> {
  requireRight(ctx, 'event:read');
  const userId = userIdOf(ctx) ?? '';
  return await ctx.stores.savedSearches.list(ctx.organization.id, userId, SAVED_SEARCHES_MAX);
}

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
    throw conflict(`You already have ${SAVED_SEARCHES_PER_USER_MAX} saved searches: delete one first`);
  }
  return await savedSearches.create(ctx.organization.id, userId, checked, ctx.now());
}

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

/** Throws NotFound; Forbidden when it is somebody else's. */
export async function deleteSavedSearch(ctx: Context, searchId: number): Promise<void> {
  const search = await ownSavedSearch(ctx, searchId);
  await ctx.stores.savedSearches.delete(ctx.organization.id, search.id);
}

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
  notFound(`Organization ${ctx.organization.slug} has no saved search ${searchId}`);

const NAME_CHARACTERS_MAX = 100;

/** The input with its name trimmed. Throws Invalid for a name that is none, or a search that cannot be read. */
export async function checkSavedSearch<Input extends Partial<SavedSearchInput>>(
  ctx: Context,
  input: Input,
): Promise<Input> {
  const name = input.name?.trim();
  if (name !== undefined && (name === '' || name.length > NAME_CHARACTERS_MAX)) {
    throw invalid(`Enter a saved search name of 1 to ${NAME_CHARACTERS_MAX} characters`, 'name');
  }
  if (input.query !== undefined) {
    await readIssueSearch(input.query, openScope(ctx, await listVisibleProjects(ctx)));
  }
  return name === undefined ? input : { ...input, name };
}
