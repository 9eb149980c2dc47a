import { z } from 'zod';
import type { ChangedFile } from '#product/commits/commit.ts';
import { type CommitRow, toCommitRows } from '#product/commits/commit-row.ts';
import type { Context } from '#product/context.ts';
import { checkLimit, decodeCursor, encodeCursor } from '#product/cursor.ts';
import { requireReleaseRead } from '#product/permissions.ts';
import { getRepository } from '#product/repositories/repositories.ts';
import { teamProjectIds } from '#product/visible-projects.ts';
import { findVisibleRelease, type NamedRelease } from './get-release.ts';

/** Newest first. Throws NotFound. */
export async function listReleaseCommits(
  ctx: Context,
  input: NamedRelease & AskedPage,
): Promise<{ commits: readonly CommitRow[]; nextCursor: string | null }> {
  requireReleaseRead(ctx);
  const { release } = await findVisibleRelease(ctx, input);
  const { rows, nextCursor } = await readPage(input, (page) =>
    ctx.stores.commits.listOfRelease(ctx.organization.id, release.id, page),
  );
  return { commits: await toCommitRows(ctx, rows), nextCursor };
}

/** Files that the commits of a release changed, by path, each with its newest commit. Throws NotFound. */
export async function listReleaseFilesChanged(
  ctx: Context,
  input: NamedRelease & AskedPage,
): Promise<{ files: readonly (ChangedFile & { commit: CommitRow })[]; nextCursor: string | null }> {
  requireReleaseRead(ctx);
  const { release } = await findVisibleRelease(ctx, input);
  const { rows, nextCursor } = await readPage(input, (page) =>
    ctx.stores.commits.listFilesOfRelease(ctx.organization.id, release.id, page),
  );
  const commits = await toCommitRows(
    ctx,
    rows.map(({ commit }) => commit),
  );
  return {
    files: rows.flatMap(({ path, change }, index) => {
      const commit = commits[index];
      return commit ? [{ path, change, commit }] : [];
    }),
    nextCursor,
  };
}

/** Newest first; those of releases of projects that the actor sees. Throws NotFound. */
export async function listRepositoryCommits(
  ctx: Context,
  input: { repositoryId: number } & AskedPage,
): Promise<{ commits: readonly CommitRow[]; nextCursor: string | null }> {
  requireReleaseRead(ctx);
  const repository = await getRepository(ctx, input.repositoryId);
  const seenIn = await teamProjectIds(ctx);
  const { rows, nextCursor } = await readPage(input, (page) =>
    ctx.stores.commits.list(ctx.organization.id, repository.id, { ...page, seenIn }),
  );
  return { commits: await toCommitRows(ctx, rows), nextCursor };
}

/** `cursor` null for the first page. */
export type AskedPage = { limit: number; cursor: string | null };

const PLACE = z.object({ offset: z.number().int().nonnegative().max(1_000_000) });

/** By their number in the list: what a release holds seldom changes while somebody reads it. */
export async function readPage<Row>(
  { limit, cursor }: AskedPage,
  read: (page: { limit: number; offset: number }) => Promise<readonly Row[]>,
): Promise<{ rows: readonly Row[]; nextCursor: string | null }> {
  checkLimit(limit);
  const offset = decodeCursor(cursor, PLACE)?.offset ?? 0;
  const rows = await read({ limit: limit + 1, offset });
  return {
    rows: rows.slice(0, limit),
    nextCursor: rows.length > limit ? encodeCursor({ offset: offset + limit }) : null,
  };
}
