import { releasePackage } from '#protocol/release-version.ts';
import type { Resolution } from './issue.ts';

/** Less than zero when the first release is older. */
export type ReleaseOrder = (release: string, other: string) => number;

/** The releases that count for a resolved issue: those of one package, null for those without one. */
export type ReleaseLine = { package: string | null; order: ReleaseOrder };

/** The release that others are compared with; null when the resolution names none. */
export function anchorOf(resolution: Resolution | null): string | null {
  if (resolution?.kind === 'release') return resolution.release;
  return resolution?.kind === 'next_release' ? resolution.after : null;
}

/**
 * Whether an event of that release, received after the issue was resolved, shows that it is not fixed. Where there is
 * no release to compare, any event does; a release of another package says nothing.
 */
export function isRegression(resolution: Resolution, release: string | null, line: ReleaseLine): boolean {
  switch (resolution.kind) {
    case 'now':
      return true;
    case 'release':
      return release === null || compareIn(line, release, resolution.release) >= 0;
    case 'next_release':
      return release === null || compareIn(line, release, resolution.after) > 0;
    // Until it is known which release holds the commit, every event may be of one without it.
    case 'commit':
      return false;
  }
}

/** Not a number, which is neither older nor newer, for a release of another package. */
const compareIn = (line: ReleaseLine, release: string, other: string): number =>
  releasePackage(release) === line.package ? line.order(release, other) : Number.NaN;

/** The release of an event that makes the issue a regression; undefined when none does. */
export function findRegression(
  resolved: { resolution: Resolution; resolvedAtMs: number },
  receivedAt: ReadonlyMap<string | null, number>,
  line: ReleaseLine,
): string | null | undefined {
  for (const [release, receivedMs] of receivedAt) {
    if (receivedMs > resolved.resolvedAtMs && isRegression(resolved.resolution, release, line))
      return release;
  }
  return undefined;
}

export type NewRelease = { projectId: number; version: string };

/** The release that an issue waited for, and what its activity says besides. */
export type NamedRelease = {
  version: string;
  said: { wasNextRelease: true } | { repository: string; commit: string };
};

/** An issue that was resolved in the next release of its project. */
export type PendingIssue = { issueId: number; organizationId: number; projectId: number; after: string };

/** The release by issue: of those of its package that are newer than the one it was resolved after, the oldest. */
export function findNextReleases(
  pending: readonly PendingIssue[],
  newReleases: readonly NewRelease[],
  lineOf: (issue: PendingIssue) => ReleaseLine,
): Map<number, NamedRelease> {
  const found = new Map<number, NamedRelease>();
  for (const issue of pending) {
    const line = lineOf(issue);
    const [next] = newReleases
      .filter(
        ({ projectId, version }) =>
          projectId === issue.projectId && compareIn(line, version, issue.after) > 0,
      )
      .map(({ version }) => version)
      .sort(line.order);
    if (next !== undefined) found.set(issue.issueId, { version: next, said: { wasNextRelease: true } });
  }
  return found;
}
