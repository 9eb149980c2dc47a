import type { Issue } from '#domain/issues/issue.ts';
import { shortenHashes } from '#lib/shorten-hashes.ts';
import { DAY_MS } from '#lib/time.ts';
import { findMappings } from '#product/code-mappings/link-frames.ts';
import { mapPath, pathsOf, plainPath } from '#product/code-mappings/map-path.ts';
import { type CommitRow, toCommitRows } from '#product/commits/commit-row.ts';
import type { Context } from '#product/context.ts';
import { findCrashStack } from '#product/events/frame-names.ts';
import { requireRight } from '#product/permissions.ts';
import type { Release } from '#product/releases/release.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import type { StoredEvent } from '#storage/ports/events.ts';
import { fileName, rankCommits, type SuspectFile } from './rank-commits.ts';

const SUSPECTS_MAX = 5;
/** Frames of the user's own code that are looked at, innermost first. */
const FRAMES_MAX = 25;
/** The release that saw the issue first, and releases before it. */
const RELEASES_MAX = 3;
const RELEASES_BACK_MS = 30 * DAY_MS;
const TOUCHING_MAX = 2_000;

export type SuspectCommit = {
  commit: CommitRow;
  /** As the repository names them, the one nearest to where it happened first. */
  files: readonly string[];
  release: string;
  /** In words. */
  why: string;
};

/**
 * Commits that may have brought an issue: of the first release that saw it, those that changed a file of the event's own
 * frames; when there is none, of one of the two releases before it within 30 days. At most 5, likeliest first; none
 * while no release has its commits.
 */
export async function findSuspectCommits(
  ctx: Context,
  issue: Pick<Issue, 'projectId' | 'firstRelease'>,
  event: Pick<StoredEvent, 'payload' | 'release'>,
): Promise<readonly SuspectCommit[]> {
  requireRight(ctx, 'event:read');
  const releases = await findReleases(ctx, issue.projectId, issue.firstRelease ?? event.release);
  if (releases.length === 0) return [];
  const files = await findFiles(ctx, issue.projectId, event.payload);
  const touching = await ctx.stores.commits.findTouching(
    ctx.organization.id,
    releases.map(({ id }) => id),
    fileNames(files),
    TOUCHING_MAX,
  );
  for (const release of releases) {
    const ranked = rankCommits(
      files,
      touching.filter(({ releaseId }) => releaseId === release.id),
    ).slice(0, SUSPECTS_MAX);
    if (ranked.length === 0) continue;
    const rows = await toCommitRows(
      ctx,
      ranked.map(({ commit }) => commit),
    );
    const isFirst = release.version === issue.firstRelease;
    return ranked.flatMap(({ files: changed, frame }, index) => {
      const commit = rows[index];
      const why = explain(changed[0] ?? '', frame, release.version, isFirst);
      return commit ? [{ commit, files: changed, release: release.version, why }] : [];
    });
  }
  return [];
}

const explain = (file: string, frame: number, version: string, isFirst: boolean): string =>
  `Changed ${file}, ${frame === 0 ? 'where it occurred' : 'which is in the stack trace'}, in ${shortenHashes(version)}, ${
    isFirst ? 'the first release with this issue' : 'a release before the issue was first seen'
  }`;

/** Newest first; only those that have commits. */
async function findReleases(
  ctx: Context,
  projectId: number,
  version: string | null,
): Promise<readonly Release[]> {
  if (version === null) return [];
  const { releases } = ctx.stores;
  const first = await releases.findRelease(ctx.organization.id, [projectId], version);
  if (!first) return [];
  const found = await releases.listWithCommits(ctx.organization.id, [projectId], first.id, {
    isIncluded: true,
    limit: RELEASES_MAX,
  });
  const dateOf = (release: Release) => release.releasedAt ?? release.firstSeen;
  return found.filter((release) => dateOf(release) >= dateOf(first) - RELEASES_BACK_MS);
}

async function findFiles(
  ctx: Context,
  projectId: number,
  payload: NormalizedEvent,
): Promise<readonly SuspectFile[]> {
  const frames = findCrashStack(payload)?.frames ?? [];
  const own = frames.filter((frame) => frame.in_app === true);
  const mappings = (await findMappings(ctx, projectId)).map(({ mapping }) => mapping);
  return (own.length > 0 ? own : frames)
    .slice(-FRAMES_MAX)
    .reverse()
    .map((frame) => pathsOf(frame))
    .filter((paths) => paths.length > 0)
    .map((paths) => {
      const mapped = mapPath(mappings, paths);
      return { paths, mapped: mapped && { repositoryId: mapped.mapping.repositoryId, path: mapped.path } };
    });
}

const fileNames = (files: readonly SuspectFile[]): readonly string[] => [
  ...new Set(
    files
      .flatMap(({ paths, mapped }) => [...paths.map(plainPath), ...(mapped ? [mapped.path] : [])])
      .map(fileName),
  ),
];
