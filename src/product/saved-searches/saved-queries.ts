import { HOUR_MS } from '#lib/time.ts';
import { personalUserId } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { checkTable } from '#product/explore/rows/explored-rows.ts';
import { openRows } from '#product/explore/rows/open-rows.ts';
import { requireRight } from '#product/permissions.ts';
import { createSaved, deleteSaved, findSaved, listSaved, updateSaved } from './own-searches.ts';
import type { SavedQuery, SavedQueryInput } from './saved-search-store.ts';

/** Questions of Explore, the actor's own and those of everybody: first what the actor starred, then the last saved. */
export const listSavedQueries = async (ctx: Context): Promise<readonly SavedQuery[]> =>
  await listSaved(ctx, ctx.stores.savedQueries);

/** Throws NotFound. */
export async function getSavedQuery(ctx: Context, queryId: number): Promise<SavedQuery> {
  requireRight(ctx, 'event:read');
  return await findSaved(ctx, ctx.stores.savedQueries, queryId);
}

/** Throws as `createSaved`, and Invalid and NotFound for what could not be asked. */
export const createSavedQuery = async (ctx: Context, input: SavedQueryInput): Promise<SavedQuery> =>
  await createSaved(ctx, ctx.stores.savedQueries, input, (asked) => checkAsked(ctx, asked));

/** Throws as `updateSaved`, and Invalid and NotFound for what could not be asked. */
export const updateSavedQuery = async (
  ctx: Context,
  queryId: number,
  change: Partial<SavedQueryInput>,
): Promise<SavedQuery> =>
  await updateSaved(ctx, ctx.stores.savedQueries, queryId, change, async (before) => {
    // What was fine when it was saved may be renamed all the same.
    if ('dataset' in change || 'query' in change || 'question' in change) {
      await checkAsked(ctx, { ...before, ...change });
    }
  });

/** Throws NotFound; Forbidden when it is somebody else's. */
export const deleteSavedQuery = async (ctx: Context, queryId: number): Promise<void> =>
  await deleteSaved(ctx, ctx.stores.savedQueries, queryId);

/** Puts it at the top of the actor's own list, or takes it away from there. Throws NotFound. */
export async function starSavedQuery(ctx: Context, queryId: number, isStarred: boolean): Promise<SavedQuery> {
  requireRight(ctx, 'event:read');
  const userId = personalUserId(ctx);
  const found = await findSaved(ctx, ctx.stores.savedQueries, queryId);
  await ctx.stores.savedQueries.star(userId, found.id, isStarred);
  return { ...found, isStarred };
}

async function checkAsked(
  ctx: Context,
  { dataset, query, question }: Pick<SavedQueryInput, 'dataset' | 'query' | 'question'>,
): Promise<void> {
  checkTable(dataset, question);
  const toMs = ctx.now();
  await openRows(ctx, {
    dataset,
    query,
    projectSlugs: question.projects,
    environments: question.environments,
    // Nothing is read: any time will do.
    range: { fromMs: toMs - HOUR_MS, toMs },
  });
}
