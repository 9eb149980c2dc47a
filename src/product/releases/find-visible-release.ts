import { forbidden, notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { selectProjects } from '#product/visible-projects.ts';
import type { Project } from '#storage/ports/projects.ts';
import type { Release } from '#storage/ports/releases.ts';

export type NamedRelease = {
  version: string;
  /** Empty for all that are visible. */
  projectSlugs: readonly string[];
};

/** The release with those of the projects that have it. Throws NotFound when none of them has. */
export async function findVisibleRelease(
  ctx: Context,
  { version, projectSlugs }: NamedRelease,
): Promise<{ release: Release; projects: readonly Project[] }> {
  const visible = await selectProjects(ctx, projectSlugs);
  const release = await ctx.stores.releases.findRelease(
    ctx.organization.id,
    visible.map(({ id }) => id),
    version,
  );
  if (!release) {
    throw notFound(
      `There is no release "${version.slice(0, 100)}": make it first, or check its name and the projects`,
    );
  }
  const ids = new Set(release.projects.map(({ projectId }) => projectId));
  return { release, projects: visible.filter(({ id }) => ids.has(id)) };
}

/** All projects of the release. Throws Forbidden when the actor may not know of every one. */
export async function requireWholeRelease(ctx: Context, releaseId: number): Promise<readonly Project[]> {
  const [all, visible] = await Promise.all([
    ctx.stores.releases.listProjectIds(ctx.organization.id, releaseId),
    selectProjects(ctx, []),
  ]);
  const projects = visible.filter(({ id }) => all.includes(id));
  if (projects.length === all.length) return projects;
  throw forbidden(
    'The release is also of projects that you do not see: ask somebody who sees all of them to delete it',
  );
}
