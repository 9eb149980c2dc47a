import type { Context } from '#product/context.ts';
import { findVisibleRelease, type NamedRelease } from '#product/releases/find-visible-release.ts';
import { requireReleaseRead } from '#product/releases/release-rights.ts';
import type { ChangedFile } from '#storage/ports/commits.ts';
import { type CommitRow, toCommitRows } from './commit-row.ts';
import { type AskedPage, readPage } from './read-page.ts';

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
