import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { selectProjects } from '#product/visible-projects.ts';
import { type ReleaseRow, type ReleaseScope, toReleaseRows } from './release-row.ts';

export type ReleaseDetails = ReleaseRow & {
  /** The release before and after it in the same projects, with the same figures; null at either end. */
  older: ReleaseRow | null;
  newer: string | null;
};

/**
 * A release of the projects, every visible one for none, with what happened in the range. Throws NotFound when none of
 * them has seen it.
 */
export async function getRelease(
  ctx: Context,
  input: {
    version: string;
    projectSlugs: readonly string[];
    environments: readonly string[];
    range: Range;
  },
): Promise<ReleaseDetails> {
  requireRight(ctx, 'project:read');
  checkRange(input.range);
  const projects = await selectProjects(ctx, input.projectSlugs);
  const { releases } = ctx.stores;
  const organizationId = ctx.organization.id;
  const asked = projects.map((project) => project.id);
  const release = await releases.findRelease(organizationId, asked, input.version);
  if (!release) {
    throw notFound(
      `No project has seen the release "${input.version.slice(0, 100)}": check its name and the chosen projects`,
    );
  }
  const seenIn = release.projects.map(({ projectId }) => projectId);
  const neighbours = await releases.findNeighbours(organizationId, seenIn, release.id);
  const before =
    neighbours.older === null ? null : await releases.findRelease(organizationId, seenIn, neighbours.older);
  const scope: ReleaseScope = {
    projects: projects.filter((project) => seenIn.includes(project.id)),
    environments: input.environments,
    range: input.range,
  };
  const [own, older = null] = await toReleaseRows(ctx, scope, before ? [release, before] : [release]);
  if (!own) throw new Error(`No row was made of release ${release.id}`);
  return { ...own, older, newer: neighbours.newer };
}
