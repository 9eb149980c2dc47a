import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { decodeCursor, encodeCursor } from '#product/cursor.ts';
import { checkLimit } from '#product/page-limit.ts';
import { selectProjects } from '#product/visible-projects.ts';
import type { ReleaseSort, ReleaseStatus } from '#storage/ports/releases.ts';
import { describeReleases, type ReleaseDescription } from './describe-release.ts';
import { findVisibleRelease, type NamedRelease } from './find-visible-release.ts';
import { RELEASE_PLACE, SEARCH_CHARACTERS_MAX } from './list-releases.ts';
import { requireReleaseRead } from './release-rights.ts';

/** A release as builds and programs ask for it. Throws NotFound. */
export async function getReleaseDescription(ctx: Context, named: NamedRelease): Promise<ReleaseDescription> {
  requireReleaseRead(ctx);
  const { release, projects } = await findVisibleRelease(ctx, named);
  const [described] = await describeReleases(ctx, [release], projects, { withEvents: true });
  if (!described) throw new Error(`The release ${release.id} was not described`);
  return described;
}

/** Releases whose name contains the search. Throws Invalid, and NotFound for a project that is not visible. */
export async function listReleaseDescriptions(
  ctx: Context,
  input: {
    search: string;
    /** Empty for all that are visible. */
    projectSlugs: readonly string[];
    /** null for any. */
    status: ReleaseStatus | null;
    sort: ReleaseSort;
    limit: number;
    cursor: string | null;
  },
): Promise<{ releases: readonly ReleaseDescription[]; nextCursor: string | null }> {
  requireReleaseRead(ctx);
  checkLimit(input.limit);
  if (input.search.length > SEARCH_CHARACTERS_MAX) {
    throw invalid(`A search for releases has at most ${SEARCH_CHARACTERS_MAX} characters`, 'query');
  }
  const { sort, status, limit } = input;
  const after = decodeCursor(input.cursor, RELEASE_PLACE);
  if (after && after.sort !== sort) {
    throw invalid(`The cursor is of a list sorted by ${after.sort}: start again without a cursor`, 'cursor');
  }
  const projects = await selectProjects(ctx, input.projectSlugs);
  const page = await ctx.stores.releases.listPage(
    ctx.organization.id,
    projects.map(({ id }) => id),
    {
      search: input.search.trim(),
      versions: null,
      status,
      sort,
      limit,
      after: after && { sortValue: after.value, id: after.id },
    },
  );
  return {
    releases: await describeReleases(ctx, page.releases, projects, { withEvents: true }),
    nextCursor: page.next && encodeCursor({ sort, value: page.next.sortValue, id: page.next.id }),
  };
}

/** The newest release before it, of any of its projects, that has commits; null when there is none. */
export async function findPreviousWithCommits(
  ctx: Context,
  named: NamedRelease,
): Promise<ReleaseDescription | null> {
  requireReleaseRead(ctx);
  const { release, projects } = await findVisibleRelease(ctx, named);
  const found = await ctx.stores.releases.listWithCommits(
    ctx.organization.id,
    projects.map(({ id }) => id),
    release.id,
    { isIncluded: false, limit: 1 },
  );
  const [described = null] = await describeReleases(ctx, found, projects, { withEvents: false });
  return described;
}

/** With how many files its commits changed. */
export type ReleaseMeta = ReleaseDescription & { filesChanged: number };

export async function getReleaseMeta(ctx: Context, named: NamedRelease): Promise<ReleaseMeta> {
  const described = await getReleaseDescription(ctx, named);
  return {
    ...described,
    filesChanged: await ctx.stores.commits.countFilesOfRelease(ctx.organization.id, described.release.id),
  };
}
