import type { Project } from '#domain/projects.ts';
import { invalid } from '#lib/errors.ts';
import { DAY_MS } from '#lib/time.ts';
import { audited } from '#product/audit/audited.ts';
import { applyCommits, type CheckedContent } from '#product/commits/apply-commits.ts';
import { type CommitInput, checkCommits, checkRefs, type RefInput } from '#product/commits/check-commits.ts';
import type { Context } from '#product/context.ts';
import { requireReleaseDelete, requireReleaseWrite } from '#product/permissions.ts';
import { selectProjects } from '#product/visible-projects.ts';
import { checkReleaseChange, checkVersion, registerRelease } from './check-release.ts';
import { findVisibleRelease, type NamedRelease, requireWholeRelease } from './get-release.ts';
import type { ReleaseChange } from './release.ts';
import { describeReleases, type ReleaseDescription } from './release-descriptions.ts';
import { RELEASE_DATA_DAYS } from './release-row.ts';

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
  const [described] = await describeReleases(ctx, [release], projects, {
    withEvents: false,
    healthMs: null,
    environments: [],
  });
  if (!described) throw new Error(`No details were loaded for release ${release.id}`);
  return described;
}

/** The projects of the release that the actor sees; it keeps them. Throws Invalid when there are none. */
async function requireKnown(ctx: Context, version: string): Promise<readonly number[]> {
  const visible = (await selectProjects(ctx, [])).map(({ id }) => id);
  const known = await ctx.stores.releases.findRelease(ctx.organization.id, visible, version);
  if (!known)
    throw invalid('A release must belong to at least one project: specify it in "projects"', 'projects');
  return known.projects.map(({ projectId }) => projectId);
}

/**
 * Removes a release of all its projects, with its deploys and what it says of commits. Throws NotFound, Forbidden when it
 * is also of projects that the actor does not see, and Invalid while issues or sessions name it: those would name a
 * release that nobody knows.
 */
export async function deleteRelease(ctx: Context, named: NamedRelease): Promise<void> {
  requireReleaseDelete(ctx);
  const { release } = await findVisibleRelease(ctx, named);
  const projects = await requireWholeRelease(ctx, release.id);
  const { releases } = ctx.stores;
  const [issues, resolved] = await Promise.all([
    releases.countIssues(ctx.organization.id, release.id),
    releases.countResolvedIn(ctx.organization.id, release.id),
  ]);
  if (issues > 0) {
    const what = issues === 1 ? 'An issue' : `${issues} issues`;
    throw invalid(`${what} occurred in this release, so it cannot be deleted: archive it instead`, 'version');
  }
  if (resolved > 0) {
    const what = resolved === 1 ? 'An issue is' : `${resolved} issues are`;
    throw invalid(
      `${what} resolved in this release or the next one, so it cannot be deleted: archive it instead`,
      'version',
    );
  }
  if (await hasSessions(ctx, projects, release.version)) {
    throw invalid('This release has sessions, so it cannot be deleted: archive it instead', 'version');
  }
  await audited(
    ctx,
    (ctx) => ctx.stores.releases.delete(ctx.organization.id, release.id),
    (isDeleted) =>
      isDeleted
        ? {
            action: 'release.remove',
            target: { kind: 'release', id: release.id, name: release.version },
            data: { projects: projects.map(({ slug }) => slug) },
          }
        : null,
  );
}

async function hasSessions(ctx: Context, projects: readonly Project[], version: string): Promise<boolean> {
  const now = ctx.now();
  const rows = await ctx.stores.telemetry.countReleaseHealth(
    { organizationId: ctx.organization.id, projectIds: projects.map(({ id }) => id) },
    {
      range: { fromMs: now - RELEASE_DATA_DAYS * DAY_MS, toMs: now + DAY_MS },
      environments: [],
      releases: [version],
      limit: projects.length,
    },
  );
  return rows.length > 0;
}
