import type { Context } from '#product/context.ts';
import { requireReleaseRead } from '#product/releases/release-rights.ts';
import { getRepository } from '#product/repositories/list-repositories.ts';
import { teamProjectIds } from '#product/visible-projects.ts';
import { type CommitRow, toCommitRows } from './commit-row.ts';
import { type AskedPage, readPage } from './read-page.ts';

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
