import { DAY_MS } from '#lib/time.ts';
import { findMemberOf, loadCommitPeople, type MemberIdentity } from '#product/commits/commit-people.ts';
import { type CommitRow, toCommitRows } from '#product/commits/commit-row.ts';
import type { Context } from '#product/context.ts';
import type { CommitAuthor } from '#storage/ports/commits.ts';
import type { Deploy } from '#storage/ports/deploys.ts';
import type { Project } from '#storage/ports/projects.ts';
import type { Release } from '#storage/ports/releases.ts';
import { RELEASE_DATA_DAYS, releaseEvents } from './release-row.ts';

/** A release as the API tells of it. */
export type ReleaseDescription = {
  release: Release;
  /** Of those that were asked for, the ones that have it, by slug, with the issues that are new in it. */
  projects: readonly { project: Project; newIssues: number }[];
  commitCount: number;
  deployCount: number;
  lastCommit: CommitRow | null;
  lastDeploy: Deploy | null;
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
