import { invalid } from '#lib/errors.ts';
import { applyCommits, type CheckedContent } from '#product/commits/apply-commits.ts';
import { type CommitInput, checkCommits, checkRefs, type RefInput } from '#product/commits/check-commits.ts';
import type { Context } from '#product/context.ts';
import { selectProjects } from '#product/visible-projects.ts';
import type { ReleaseChange } from '#storage/ports/releases.ts';
import { checkReleaseChange, checkVersion } from './check-release.ts';
import { describeReleases, type ReleaseDescription } from './describe-release.ts';
import { findVisibleRelease, type NamedRelease } from './find-visible-release.ts';
import { registerRelease } from './register-release.ts';
import { requireReleaseWrite } from './release-rights.ts';

/** What is absent stays as it is. */
export type ReleaseContent = {
  change: ReleaseChange;
  /** In place of the commits that the release had. */
  commits?: readonly CommitInput[];
  /** The commits that it ends with; an empty list takes its commits away. */
  refs?: readonly RefInput[];
};

/**
 * Makes a release of the projects, or changes the one that there is, which keeps its own when none is named: builds may
 * say it again. A name is one release of the organization: who names a project of theirs joins it, as an event of that
 * project does. `isNew` when the release, or one of its projects, is. Throws Invalid, and NotFound for a project that is
 * not visible.
 */
export async function saveRelease(
  ctx: Context,
  input: ReleaseContent & { version: string; projectSlugs: readonly string[] },
): Promise<{ release: ReleaseDescription; isNew: boolean }> {
  requireReleaseWrite(ctx);
  const version = checkVersion(input.version);
  const change = checkReleaseChange(input.change);
  const content = checkContent(input, ctx.now());
  const projectIds =
    input.projectSlugs.length === 0
      ? await requireKnown(ctx, version)
      : (await selectProjects(ctx, input.projectSlugs)).map(({ id }) => id);
  const saved = await registerRelease(ctx, { version, projectIds, change });
  await applyCommits(ctx, saved.releaseId, content);
  return {
    release: await describeOne(ctx, { version, projectSlugs: [] }),
    isNew: saved.isNew || saved.newProjectIds.length > 0,
  };
}

/** Changes a release of at least one project that the actor sees. Throws NotFound and Invalid. */
export async function updateRelease(
  ctx: Context,
  input: ReleaseContent & NamedRelease,
): Promise<ReleaseDescription> {
  requireReleaseWrite(ctx);
  const change = checkReleaseChange(input.change);
  const content = checkContent(input, ctx.now());
  const { release } = await findVisibleRelease(ctx, input);
  await ctx.stores.releases.change(ctx.organization.id, release.id, change);
  await applyCommits(ctx, release.id, content);
  return describeOne(ctx, input);
}

const checkContent = ({ commits, refs }: ReleaseContent, nowMs: number): CheckedContent => ({
  commits: commits && checkCommits(commits, nowMs),
  refs: refs && checkRefs(refs),
});

async function describeOne(ctx: Context, named: NamedRelease): Promise<ReleaseDescription> {
  const { release, projects } = await findVisibleRelease(ctx, named);
  const [described] = await describeReleases(ctx, [release], projects, { withEvents: false });
  if (!described) throw new Error(`The release ${release.id} was not described`);
  return described;
}

/** The projects of the release that the actor sees; it keeps them. Throws Invalid when there are none. */
async function requireKnown(ctx: Context, version: string): Promise<readonly number[]> {
  const visible = (await selectProjects(ctx, [])).map(({ id }) => id);
  const known = await ctx.stores.releases.findRelease(ctx.organization.id, visible, version);
  if (!known) throw invalid('A release is of one project at least: name it in "projects"', 'projects');
  return known.projects.map(({ projectId }) => projectId);
}
