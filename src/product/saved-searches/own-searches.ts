import { conflict, invalid, notFound } from '#lib/errors.ts';
import { personalUserId, userIdOf } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { hasRight, requireRight } from '#product/permissions.ts';
import type { Saved, StoreOf } from './saved-search-store.ts';

type Named = Pick<Saved, 'name' | 'query' | 'isShared'>;

/** What one list shows. */
const SAVED_SEARCHES_MAX = 200;

export async function listSaved<Kept extends Saved, Input extends Named>(
  ctx: Context,
  store: StoreOf<Kept, Input>,
): Promise<readonly Kept[]> {
  requireRight(ctx, 'event:read');
  return await store.list(ctx.organization.id, userIdOf(ctx) ?? '', SAVED_SEARCHES_MAX);
}

/** Searches that one person saves in an organization, and as many questions of Explore. */
export const SAVED_SEARCHES_PER_USER_MAX = 50;

/**
 * Everybody saves searches of their own; sharing one needs event:write. Throws Invalid for a bad name, or what `check`
 * refuses, Conflict for a name that is taken.
 */
export async function createSaved<Kept extends Saved, Input extends Named>(
  ctx: Context,
  store: StoreOf<Kept, Input>,
  input: Input,
  check: (input: Input) => Promise<void>,
): Promise<Kept> {
  requireRight(ctx, input.isShared ? 'event:write' : 'event:read');
  const userId = personalUserId(ctx);
  const named = { ...input, name: readName(input.name) };
  await check(named);
  if ((await store.count(ctx.organization.id, userId)) >= SAVED_SEARCHES_PER_USER_MAX) {
    throw conflict(`You have already saved ${SAVED_SEARCHES_PER_USER_MAX}: delete one first`);
  }
  return await store.create(ctx.organization.id, userId, named, ctx.now());
}

/** `check` gets the search as it was. Throws NotFound, Invalid for a bad name, Conflict for a name that is taken. */
export async function updateSaved<Kept extends Saved, Input extends Named>(
  ctx: Context,
  store: StoreOf<Kept, Input>,
  searchId: number,
  change: Partial<Input>,
  check: (before: Kept) => Promise<void>,
): Promise<Kept> {
  const before = await ownSaved(ctx, store, searchId);
  if (change.isShared) requireRight(ctx, 'event:write');
  if (Object.keys(change).length === 0) return before;
  const named = change.name === undefined ? change : { ...change, name: readName(change.name) };
  await check(before);
  const userId = personalUserId(ctx);
  const updated = await store.update(ctx.organization.id, userId, searchId, named, ctx.now());
  if (!updated) throw savedNotFound(ctx, searchId);
  return updated;
}

/** Throws NotFound; Forbidden when it is somebody else's. */
export async function deleteSaved<Kept extends Saved, Input extends Named>(
  ctx: Context,
  store: StoreOf<Kept, Input>,
  searchId: number,
): Promise<void> {
  const { id } = await ownSaved(ctx, store, searchId);
  await store.delete(ctx.organization.id, id);
}

/** One that the actor sees. Throws NotFound. */
export async function findSaved<Kept extends Saved, Input extends Named>(
  ctx: Context,
  store: StoreOf<Kept, Input>,
  searchId: number,
): Promise<Kept> {
  const found = await store.find(ctx.organization.id, userIdOf(ctx) ?? '', searchId);
  if (!found) throw savedNotFound(ctx, searchId);
  return found;
}

/** One that the actor may change: an own one, or a shared one of others with org:write. Throws NotFound. */
async function ownSaved<Kept extends Saved, Input extends Named>(
  ctx: Context,
  store: StoreOf<Kept, Input>,
  searchId: number,
): Promise<Kept> {
  const userId = personalUserId(ctx);
  const search = await findSaved(ctx, store, searchId);
  if (search.userId !== userId) requireRight(ctx, 'org:write');
  else if (search.isShared) requireRight(ctx, 'event:write');
  return search;
}

/** Whether the actor may change the search, for showing what is possible. */
export const mayChange = (ctx: Context, search: Saved): boolean =>
  userIdOf(ctx) !== null &&
  (search.userId === userIdOf(ctx)
    ? !search.isShared || hasRight(ctx.actor, 'event:write')
    : hasRight(ctx.actor, 'org:write'));

const savedNotFound = (ctx: Context, searchId: number) =>
  notFound(`Organization ${ctx.organization.slug} has no saved search ${searchId}`);

const NAME_CHARACTERS_MAX = 100;

function readName(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= NAME_CHARACTERS_MAX) return name;
  throw invalid(`Enter a saved search name of 1 to ${NAME_CHARACTERS_MAX} characters`, 'name');
}
