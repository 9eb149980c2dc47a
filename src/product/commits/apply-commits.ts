import type { Context } from '#product/context.ts';
import { ensureRepositories } from '#product/repositories/repositories.ts';
import type { CheckedCommit, CheckedRef } from './check-commits.ts';
import { findFixedIssues } from './find-fixed-issues.ts';

export type CheckedContent = {
  /** Absent: its commits stay. */
  commits: readonly CheckedCommit[] | undefined;
  /** Absent: its heads stay; empty: it has no commits any more. */
  refs: readonly CheckedRef[] | undefined;
};

/** Tells a release its commits, which resolve the issues that their messages name. */
export async function applyCommits(
  ctx: Context,
  releaseId: number,
  { commits = [], refs }: CheckedContent,
): Promise<void> {
  const organizationId = ctx.organization.id;
  const repositories = await ensureRepositories(
    ctx,
    [...commits, ...(refs ?? [])].map(({ repository }) => repository),
  );
  const idOf = (name: string): number => {
    const id = repositories.get(name);
    if (id === undefined) throw new Error(`Repository ${name} was neither found nor created`);
    return id;
  };
  if (commits.length > 0) {
    await ctx.stores.commits.setReleaseCommits(
      organizationId,
      releaseId,
      commits.map(({ repository, ...commit }) => ({ ...commit, repositoryId: idOf(repository) })),
    );
  }
  if (refs && refs.length > 0) {
    await ctx.stores.commits.setReleaseHeads(
      organizationId,
      releaseId,
      refs.map(({ repository, ...head }) => ({ ...head, repositoryId: idOf(repository) })),
    );
  } else if (refs && commits.length === 0) {
    await ctx.stores.commits.clearRelease(organizationId, releaseId);
  }
  // What it did before for the same commits, it does not do again; so a request that broke off is simply repeated.
  if (commits.length > 0) {
    const fixed = await findFixedIssues(ctx, commits);
    await ctx.stores.commits.resolveIssues(organizationId, releaseId, fixed, ctx.now());
  }
}
