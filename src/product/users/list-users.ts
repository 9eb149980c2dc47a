import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope, selectProjects } from '#product/visible-projects.ts';
import type { ListedUser } from '#storage/ports/user-activity.ts';
import { parseUserKey } from './user-key.ts';

/** People of one list; a search finds the others. */
export const USERS_MAX = 100;
/** People that are suggested while somebody types. */
const SUGGESTED_MAX = 8;
const SEARCH_CHARACTERS_MAX = 250;

type UserSearch = {
  /** Part of an id, an email, a username or an address; a whole one with `id:`, `email:`, `username:` or `ip:` in front. */
  search: string;
  projectSlugs: readonly string[];
  environments: readonly string[];
  range: Range;
};

/** Who was seen in the range, last seen first; at most 100. Throws Invalid, and NotFound for a project that is not visible. */
export const listUsers = (
  ctx: Context,
  input: UserSearch,
): Promise<{ users: readonly ListedUser[]; hasMore: boolean }> => readUsers(ctx, input, USERS_MAX, false);

/** A few of them, found within a second. */
export const suggestUsers = async (ctx: Context, input: UserSearch): Promise<readonly ListedUser[]> =>
  (await readUsers(ctx, input, SUGGESTED_MAX, true)).users;

async function readUsers(
  ctx: Context,
  { search, projectSlugs, environments, range }: UserSearch,
  limit: number,
  isQuick: boolean,
): Promise<{ users: readonly ListedUser[]; hasMore: boolean }> {
  requireRight(ctx, 'event:read');
  checkRange(range);
  const text = search.trim();
  if (text.length > SEARCH_CHARACTERS_MAX) {
    throw invalid(`A user search can have at most ${SEARCH_CHARACTERS_MAX} characters`, 'query');
  }
  const projects = await selectProjects(ctx, projectSlugs);
  const users = await ctx.stores.userActivity.listUsers(eventScope(ctx, projects), {
    ...{ range, environments, text, key: parseUserKey(text) },
    ...{ limit: limit + 1, isQuick },
  });
  return { users: users.slice(0, limit), hasMore: users.length > limit };
}
