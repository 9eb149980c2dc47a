import type { Context } from '#product/context.ts';
import type { ReleaseChange } from '#storage/ports/releases.ts';

/**
 * Makes the release, or changes the one that there is, and gives it the projects. Issues of its projects that wait for
 * one of its commits are resolved in it.
 */
export async function registerRelease(
  ctx: Context,
  release: { version: string; projectIds: readonly number[]; change: ReleaseChange },
): Promise<{ releaseId: number; isNew: boolean; newProjectIds: readonly number[] }> {
  const { releases, commits } = ctx.stores;
  const saved = await releases.save(ctx.organization.id, release, ctx.now());
  // Not only for projects that are new to it: a request that broke off in between is simply repeated.
  await commits.resolveIssues(ctx.organization.id, saved.releaseId, [], ctx.now());
  return saved;
}
