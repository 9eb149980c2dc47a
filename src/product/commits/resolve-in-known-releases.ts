import type { Context } from '#product/context.ts';

/** Releases that hold one commit: the oldest of each project is the one that counts. */
const RELEASES_MAX = 20;

/** Issues that wait for a commit which a release of theirs holds already need not wait for the next one. */
export async function resolveInKnownReleases(
  ctx: Context,
  { repository, commit }: { repository: string; commit: string },
): Promise<void> {
  const { commits } = ctx.stores;
  const organizationId = ctx.organization.id;
  const named = { repositoryName: repository, key: commit };
  for (const releaseId of await commits.listReleasesWith(organizationId, named, RELEASES_MAX)) {
    await commits.resolveIssues(organizationId, releaseId, [], ctx.now());
  }
}
