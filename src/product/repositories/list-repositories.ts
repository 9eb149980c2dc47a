import { z } from 'zod';
import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { decodeCursor, encodeCursor } from '#product/cursor.ts';
import { checkLimit } from '#product/page-limit.ts';
import { requireReleaseRead } from '#product/releases/release-rights.ts';
import { teamProjectIds } from '#product/visible-projects.ts';
import type { Repository } from '#storage/ports/repositories.ts';
import { REPOSITORIES_MAX } from './ensure-repositories.ts';

const SEARCH_CHARACTERS_MAX = 200;

const PLACE = z.object({ name: z.string().max(SEARCH_CHARACTERS_MAX), id: z.number().int().nonnegative() });

/**
 * By name; those whose name contains the search, in either case, without those that only projects use that the actor does
 * not see. Throws Invalid.
 */
export async function listRepositories(
  ctx: Context,
  input: { search: string; limit: number; cursor: string | null },
): Promise<{ repositories: readonly Repository[]; nextCursor: string | null }> {
  requireReleaseRead(ctx);
  checkLimit(input.limit);
  const rows = await ctx.stores.repositories.list(ctx.organization.id, {
    search: input.search.trim().slice(0, SEARCH_CHARACTERS_MAX),
    seenIn: await teamProjectIds(ctx),
    limit: input.limit + 1,
    after: decodeCursor(input.cursor, PLACE),
  });
  const repositories = rows.slice(0, input.limit);
  const last = repositories.at(-1);
  return {
    repositories,
    nextCursor: rows.length > input.limit && last ? encodeCursor({ name: last.name, id: last.id }) : null,
  };
}

/** To choose one of them: as many as an organization has, by name; without those that are hidden, as above. */
export async function listAllRepositories(ctx: Context): Promise<readonly Repository[]> {
  requireReleaseRead(ctx);
  const page = { search: '', seenIn: await teamProjectIds(ctx), limit: REPOSITORIES_MAX, after: null };
  return await ctx.stores.repositories.list(ctx.organization.id, page);
}

/** Throws NotFound, also for one that is hidden, as above. */
export async function getRepository(ctx: Context, repositoryId: number): Promise<Repository> {
  requireReleaseRead(ctx);
  const seenIn = await teamProjectIds(ctx);
  const repository = await ctx.stores.repositories.find(ctx.organization.id, repositoryId, seenIn);
  if (!repository) throw repositoryNotFound(ctx);
  return repository;
}

export const repositoryNotFound = (ctx: Context) =>
  notFound(`${ctx.organization.slug} has no such repository: it was deleted, reload the list`);
