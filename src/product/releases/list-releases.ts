import { z } from 'zod';
import type { Issue } from '#domain/issues/issue.ts';
import { type PackageScope, packageScopeOf } from '#domain/issues/package-scope.ts';
import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { checkLimit, decodeCursor, encodeCursor } from '#product/cursor.ts';
import { groupEvents } from '#product/explore/event-groups.ts';
import { requireRight } from '#product/permissions.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope, listVisibleProjects, selectProjects } from '#product/visible-projects.ts';
import { rankReleases } from './rank-releases.ts';
import { readSessionTrends } from './read-session-trends.ts';
import {
  isReleaseRank,
  RELEASE_ISSUES,
  RELEASE_SORTS,
  type ReleaseIssues,
  type ReleaseRank,
  type ReleaseSort,
  type ReleaseStatus,
  type ReleaseSummary,
  SEARCH_CHARACTERS_MAX,
} from './release.ts';
import {
  environmentParts,
  listHealth,
  type ReleaseRow,
  type ReleaseScope,
  toReleaseRows,
} from './release-row.ts';

/** Releases that an environment is looked for in: those with the most events. */
const RELEASES_IN_ENVIRONMENTS_MAX = 2_000;

import { unlessTooMuch } from './unless-too-much.ts';

/**
 * Releases whose name contains the search, with what happened in the range. With environments only those that were
 * active there in the range. Throws Invalid, and NotFound for a project that is not visible.
 */
export async function listReleases(
  ctx: Context,
  input: Omit<ReleaseListInput, 'sort'> & {
    sort: ReleaseSort | ReleaseRank;
    /** Empty for all. */
    environments: readonly string[];
    range: Range;
    /** null for any; absent for those that are not archived. */
    status?: ReleaseStatus | null;
  },
): Promise<{ releases: readonly ListedRelease[]; nextCursor: string | null }> {
  requireRight(ctx, 'project:read');
  checkRange(input.range);
  const { sort, status = 'open', ...list } = input;
  const projects = await selectProjects(ctx, input.projectSlugs);
  const scope: ReleaseScope = { projects, environments: input.environments, range: input.range };
  const { releases, nextCursor } = isReleaseRank(sort)
    ? await rankReleases(ctx, scope, { ...list, sort, status })
    : await readByName(ctx, scope, { ...list, sort }, status);
  const [rows, trends] = await Promise.all([
    toReleaseRows(ctx, scope, releases),
    unlessTooMuch(readSessionTrends(ctx, scope, releases), null),
  ]);
  return {
    releases: rows.map((row) => ({ ...row, sessionTrend: trends?.get(row.version) ?? [] })),
    nextCursor,
  };
}

/** A release with its sessions over the range, in the same buckets for all; empty without any. */
export type ListedRelease = ReleaseRow & { sessionTrend: readonly number[] };

async function readByName(
  ctx: Context,
  scope: ReleaseScope,
  input: ReleaseListInput,
  status: ReleaseStatus | null,
) {
  const { readPage } = await openReleaseList(ctx, input);
  const versions = scope.environments.length === 0 ? null : await listActiveVersions(ctx, scope);
  return await readPage({ versions, status });
}

export type ReleaseListInput = {
  search: string;
  /** Empty for all that are visible. */
  projectSlugs: readonly string[];
  sort: ReleaseSort;
  limit: number;
  cursor: string | null;
};

/** The projects of a list, and what reads its page, once the input is checked. */
export async function openReleaseList(ctx: Context, input: ReleaseListInput) {
  checkLimit(input.limit);
  if (!RELEASE_SORTS.includes(input.sort)) {
    throw invalid(`Releases cannot be sorted by "${input.sort}": choose date or version`, 'sort');
  }
  if (input.search.length > SEARCH_CHARACTERS_MAX) {
    throw invalid(`A release search can have at most ${SEARCH_CHARACTERS_MAX} characters`, 'query');
  }
  const after = decodeCursor(input.cursor, RELEASE_PLACE);
  if (after && after.sort !== input.sort) {
    throw invalid(
      `The cursor belongs to a list sorted by ${after.sort}: start again without a cursor`,
      'cursor',
    );
  }
  const projects = await selectProjects(ctx, input.projectSlugs);
  const readPage = async (filter: {
    versions: readonly string[] | null;
    status: ReleaseStatus | null;
    range?: Range | null;
  }) => {
    const { releases, next } = await ctx.stores.releases.listPage(
      ctx.organization.id,
      projects.map(({ id }) => id),
      {
        ...filter,
        search: input.search.trim(),
        sort: input.sort,
        limit: input.limit,
        after: after && { sortValue: after.value, id: after.id },
      },
    );
    return {
      releases,
      nextCursor: next && encodeCursor({ sort: input.sort, value: next.sortValue, id: next.id }),
    };
  };
  return { projects, readPage };
}

const RELEASE_PLACE = z.object({
  sort: z.enum(RELEASE_SORTS),
  value: z.string().max(SEARCH_CHARACTERS_MAX * 2),
  id: z.number().int().nonnegative(),
});

/** Releases with an event or a session in the environments. */
export async function listActiveVersions(ctx: Context, scope: ReleaseScope): Promise<readonly string[]> {
  const [groups, health] = await Promise.all([
    groupEvents(
      ctx,
      eventScope(
        ctx,
        scope.projects.map((project) => project.id),
      ),
      { range: scope.range, expression: { kind: 'and', parts: environmentParts(scope.environments) } },
      { kind: 'column', name: 'release' },
      RELEASES_IN_ENVIRONMENTS_MAX,
    ),
    listHealth(ctx, scope),
  ]);
  return [...new Set([...groups.map((group) => group.value), ...health.map((row) => row.release)])];
}

const RELEASES_MAX = 50;

/**
 * Releases that are in every scope, newest first, at most 50, whose name contains the search; and the newest one, when
 * the scopes share it. Projects that are not visible are left out.
 */
export async function listProjectReleases(
  ctx: Context,
  scopes: readonly PackageScope[],
  search: string,
): Promise<{ releases: readonly ReleaseSummary[]; newest: string | null }> {
  requireRight(ctx, 'project:read');
  const visible = new Set((await listVisibleProjects(ctx)).map(({ id }) => id));
  const chosen = scopes.filter(({ projectId }) => visible.has(projectId));
  const [name, ...others] = new Set(chosen.map((scope) => scope.package).filter((one) => one !== undefined));
  if (chosen.length === 0 || others.length > 0) return { releases: [], newest: null };
  const projectIds = chosen.map(({ projectId }) => projectId);
  const [releases, newest] = await Promise.all([
    ctx.stores.releases.listReleases(ctx.organization.id, projectIds, {
      search: search.slice(0, SEARCH_CHARACTERS_MAX),
      package: name,
      limit: RELEASES_MAX,
    }),
    ctx.stores.releases.findNewest(ctx.organization.id, chosen),
  ]);
  const names = new Set(chosen.map((scope) => newest.get(scope) ?? null));
  const [only] = names;
  return { releases, newest: names.size === 1 ? (only ?? null) : null };
}

/** The releases of the package that an issue was last seen in, as above, and whether it was seen in the newest one. */
export async function listIssueReleases(
  ctx: Context,
  issue: Pick<Issue, 'id' | 'projectId' | 'lastRelease'>,
): Promise<Awaited<ReturnType<typeof listProjectReleases>> & { isInNewest: boolean }> {
  const found = await listProjectReleases(ctx, [packageScopeOf(issue)], '');
  const { newest } = found;
  const isInNewest =
    newest !== null && (await ctx.stores.releases.hasIssue(ctx.organization.id, newest, issue.id));
  return { ...found, isInNewest };
}

/** Of each kind so many are listed; `total` counts the rest. */
export const RELEASE_ISSUES_MAX = 10;

/** Seen last first. */
export type ListedIssues = { issues: readonly Issue[]; total: number };

/** Issues that are new in a release, that came back in it, and that are resolved in it. */
export async function listReleaseIssues(
  ctx: Context,
  input: { version: string; projectSlugs: readonly string[] },
): Promise<Readonly<Record<ReleaseIssues, ListedIssues>>> {
  requireRight(ctx, 'event:read');
  const projects = await selectProjects(ctx, input.projectSlugs);
  const projectIds = projects.map((project) => project.id);
  const organizationId = ctx.organization.id;
  const found = await Promise.all(
    RELEASE_ISSUES.map((which) =>
      ctx.stores.releases.listIssues(organizationId, projectIds, input.version, which, RELEASE_ISSUES_MAX),
    ),
  );
  const ids = [...new Set(found.flatMap(({ issueIds }) => issueIds))];
  const issues = new Map(
    (await ctx.stores.issues.findByIds(organizationId, ids)).map((issue) => [issue.id, issue]),
  );
  const [fresh, regressed, resolved] = found.map(
    ({ issueIds, total }): ListedIssues => ({
      issues: issueIds.flatMap((id) => issues.get(id) ?? []),
      total,
    }),
  );
  return { new: fresh ?? NONE, regressed: regressed ?? NONE, resolved: resolved ?? NONE };
}

const NONE: ListedIssues = { issues: [], total: 0 };
