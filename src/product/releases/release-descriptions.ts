import type { Project } from '#domain/projects.ts';
import { DAY_MS } from '#lib/time.ts';
import type { CommitAuthor } from '#product/commits/commit.ts';
import {
  type CommitRow,
  findMemberOf,
  loadCommitPeople,
  type MemberIdentity,
  toCommitRows,
} from '#product/commits/commit-row.ts';
import type { Context } from '#product/context.ts';
import { hasRight, requireReleaseRead, requireRight } from '#product/permissions.ts';
import type { Range } from '#product/time-buckets.ts';
import { selectProjects } from '#product/visible-projects.ts';
import { type ProjectHealth, readProjectHealth } from './describe-health.ts';
import { findVisibleRelease, type NamedRelease } from './get-release.ts';
import { listActiveVersions, openReleaseList, type ReleaseListInput } from './list-releases.ts';
import { rankReleases } from './rank-releases.ts';
import {
  isReleaseRank,
  type Release,
  type ReleaseFacts,
  type ReleaseRank,
  type ReleaseSort,
  type ReleaseStatus,
} from './release.ts';
import { RELEASE_DATA_DAYS, releaseEvents } from './release-row.ts';

/** A release as builds and programs ask for it. Throws NotFound. */
export async function getReleaseDescription(
  ctx: Context,
  named: NamedRelease & { healthMs?: number | null },
): Promise<ReleaseDescription> {
  requireReleaseRead(ctx);
  const { release, projects } = await findVisibleRelease(ctx, named);
  const [described] = await describeReleases(ctx, [release], projects, {
    withEvents: true,
    healthMs: named.healthMs ?? null,
    environments: [],
  });
  if (!described) throw new Error(`No details were loaded for release ${release.id}`);
  return described;
}

/** Releases whose name contains the search. Throws Invalid, and NotFound for a project that is not visible. */
export async function listReleaseDescriptions(
  ctx: Context,
  input: Omit<ReleaseListInput, 'sort'> & {
    sort: ReleaseSort | ReleaseRank;
    /** null for any. */
    status: ReleaseStatus | null;
    /** Those that were released, or else made, within it; all when absent. */
    range?: Range | null;
    /** Only those with an event or a session in one of them lately, or in the range; empty for all. */
    environments?: readonly string[];
    /** How far back their sessions are counted, in milliseconds; null or absent for not at all. */
    healthMs?: number | null;
  },
): Promise<{ releases: readonly ReleaseDescription[]; nextCursor: string | null }> {
  requireReleaseRead(ctx);
  const { environments = [], healthMs = null, sort } = input;
  const nowMs = ctx.now();
  const range = input.range ?? { fromMs: nowMs - RELEASE_DATA_DAYS * DAY_MS, toMs: nowMs };
  const details = { withEvents: true, healthMs, environments };
  if (isReleaseRank(sort)) {
    requireRight(ctx, 'event:read');
    const projects = await selectProjects(ctx, input.projectSlugs);
    const { releases, nextCursor } = await rankReleases(
      ctx,
      { projects, environments, range },
      { ...input, sort },
    );
    return { releases: await describeReleases(ctx, releases, projects, details), nextCursor };
  }
  const { projects, readPage } = await openReleaseList(ctx, { ...input, sort });
  const { releases, nextCursor } = await readPage({
    versions:
      environments.length === 0 ? null : await listActiveVersions(ctx, { projects, environments, range }),
    status: input.status,
    range: input.range,
  });
  return { releases: await describeReleases(ctx, releases, projects, details), nextCursor };
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
  const [described = null] = await describeReleases(ctx, found, projects, {
    withEvents: false,
    healthMs: null,
    environments: [],
  });
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

/** A release as the API returns it. */
export type ReleaseDescription = Pick<ReleaseFacts, 'commitCount' | 'deployCount' | 'lastDeploy'> & {
  release: Release;
  /** Of those that were asked for, the ones that have it, by slug, with the issues that are new in it. */
  projects: readonly {
    project: Project;
    newIssues: number;
    /** null without any session; undefined where it was not asked for, or may not be read. */
    health: ProjectHealth | null | undefined;
  }[];
  lastCommit: CommitRow | null;
  authors: readonly { author: CommitAuthor; member: MemberIdentity | null }[];
  /** Milliseconds since the epoch, of the events that are kept; null without any, and where it was not asked for. */
  firstEvent: number | null;
  lastEvent: number | null;
};

/**
 * Completes releases with what stands beside them, in the same order. Events and sessions are only looked up when asked for,
 * and sessions by those who may read them: builds may not.
 */
export async function describeReleases(
  ctx: Context,
  releases: readonly Release[],
  projects: readonly Project[],
  options: { withEvents: boolean; healthMs: number | null; environments: readonly string[] },
): Promise<readonly ReleaseDescription[]> {
  if (releases.length === 0) return [];
  const organizationId = ctx.organization.id;
  const projectIds = projects.map(({ id }) => id);
  const now = ctx.now();
  const range = { fromMs: now - RELEASE_DATA_DAYS * DAY_MS, toMs: now + DAY_MS };
  const { healthMs, environments } = options;
  const [facts, people, events, health] = await Promise.all([
    ctx.stores.releases.describe(
      organizationId,
      projectIds,
      releases.map(({ id }) => id),
    ),
    loadCommitPeople(ctx),
    options.withEvents
      ? releaseEvents(
          ctx,
          { projects, environments: [], range },
          releases.map(({ version }) => version),
        )
      : null,
    healthMs !== null && hasRight(ctx.actor, 'event:read')
      ? readProjectHealth(
          ctx,
          { projects, environments, range: { fromMs: now - healthMs, toMs: now } },
          releases,
        )
      : null,
  ]);
  const commits = await toCommitRows(
    ctx,
    [...facts.values()].flatMap(({ lastCommit }) => lastCommit ?? []),
  );
  return releases.map((release) => {
    const own = facts.get(release.id);
    const seen = new Set(release.projects.map(({ projectId }) => projectId));
    return {
      release,
      projects: projects
        .filter(({ id }) => seen.has(id))
        .map((project) => ({
          project,
          newIssues: own?.newIssues.get(project.id) ?? 0,
          health: health?.(project.id, release.version),
        })),
      commitCount: own?.commitCount ?? 0,
      deployCount: own?.deployCount ?? 0,
      lastCommit: commits.find(({ id }) => id === own?.lastCommit?.id) ?? null,
      lastDeploy: own?.lastDeploy ?? null,
      authors: (own?.authors ?? []).map((author) => ({ author, member: findMemberOf(people, author) })),
      firstEvent: events?.get(release.version)?.firstSeen ?? null,
      lastEvent: events?.get(release.version)?.lastSeen ?? null,
    };
  });
}
