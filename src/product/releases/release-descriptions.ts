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
import { requireReleaseRead } from '#product/permissions.ts';
import type { Range } from '#product/time-buckets.ts';
import { findVisibleRelease, type NamedRelease } from './get-release.ts';
import { listActiveVersions, openReleaseList, type ReleaseListInput } from './list-releases.ts';
import type { Release, ReleaseFacts, ReleaseStatus } from './release.ts';
import { RELEASE_DATA_DAYS, releaseEvents } from './release-row.ts';

/** A release as builds and programs ask for it. Throws NotFound. */
export async function getReleaseDescription(ctx: Context, named: NamedRelease): Promise<ReleaseDescription> {
  requireReleaseRead(ctx);
  const { release, projects } = await findVisibleRelease(ctx, named);
  const [described] = await describeReleases(ctx, [release], projects, { withEvents: true });
  if (!described) throw new Error(`No details were loaded for release ${release.id}`);
  return described;
}

/** Releases whose name contains the search. Throws Invalid, and NotFound for a project that is not visible. */
export async function listReleaseDescriptions(
  ctx: Context,
  input: ReleaseListInput & {
    /** null for any. */
    status: ReleaseStatus | null;
    /** Those that were released, or else made, within it; all when absent. */
    range?: Range | null;
    /** Only those with an event or a session in one of them lately, or in the range; empty for all. */
    environments?: readonly string[];
  },
): Promise<{ releases: readonly ReleaseDescription[]; nextCursor: string | null }> {
  requireReleaseRead(ctx);
  const { projects, readPage } = await openReleaseList(ctx, input);
  const { environments = [] } = input;
  const nowMs = ctx.now();
  const range = input.range ?? { fromMs: nowMs - RELEASE_DATA_DAYS * DAY_MS, toMs: nowMs };
  const { releases, nextCursor } = await readPage({
    versions:
      environments.length === 0 ? null : await listActiveVersions(ctx, { projects, environments, range }),
    status: input.status,
    range: input.range,
  });
  return { releases: await describeReleases(ctx, releases, projects, { withEvents: true }), nextCursor };
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

/** A release as the API returns it. */
export type ReleaseDescription = Pick<ReleaseFacts, 'commitCount' | 'deployCount' | 'lastDeploy'> & {
  release: Release;
  /** Of those that were asked for, the ones that have it, by slug, with the issues that are new in it. */
  projects: readonly { project: Project; newIssues: number }[];
  lastCommit: CommitRow | null;
  authors: readonly { author: CommitAuthor; member: MemberIdentity | null }[];
  /** Milliseconds since the epoch, of the events that are kept; null without any, and where it was not asked for. */
  firstEvent: number | null;
  lastEvent: number | null;
};

/** Completes releases with what stands beside them, in the same order. Events are only looked up when asked for. */
export async function describeReleases(
  ctx: Context,
  releases: readonly Release[],
  projects: readonly Project[],
  options: { withEvents: boolean },
): Promise<readonly ReleaseDescription[]> {
  if (releases.length === 0) return [];
  const organizationId = ctx.organization.id;
  const projectIds = projects.map(({ id }) => id);
  const now = ctx.now();
  const range = { fromMs: now - RELEASE_DATA_DAYS * DAY_MS, toMs: now + DAY_MS };
  const [facts, people, events] = await Promise.all([
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
        .map((project) => ({ project, newIssues: own?.newIssues.get(project.id) ?? 0 })),
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
