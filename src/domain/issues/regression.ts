import type { Resolution } from './issue.ts';

/** Less than zero when the first release is older. */
export type ReleaseOrder = (release: string, other: string) => number;

/**
 * Whether an event of that release, received after the issue was resolved, shows that it is not fixed. Where there is
 * no release to compare, any event does.
 */
export function isRegression(resolution: Resolution, release: string | null, order: ReleaseOrder): boolean {
  switch (resolution.kind) {
    case 'now':
      return true;
    case 'release':
      return release === null || order(release, resolution.release) >= 0;
    case 'next_release':
      return release === null || order(release, resolution.after) > 0;
    // Until it is known which release holds the commit, every event may be of one without it.
    case 'commit':
      return false;
  }
}

/** The release of an event that makes the issue a regression; undefined when none does. */
export function findRegression(
  resolved: { resolution: Resolution; resolvedAtMs: number },
  receivedAt: ReadonlyMap<string | null, number>,
  order: ReleaseOrder,
): string | null | undefined {
  for (const [release, receivedMs] of receivedAt) {
    if (receivedMs > resolved.resolvedAtMs && isRegression(resolved.resolution, release, order))
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

/** The release by issue: of those newer than the one that was the newest, the oldest. */
export function findNextReleases(
  pending: readonly PendingIssue[],
  newReleases: readonly NewRelease[],
  orderOf: (organizationId: number) => ReleaseOrder,
): Map<number, NamedRelease> {
  const found = new Map<number, NamedRelease>();
  for (const { issueId, organizationId, projectId, after } of pending) {
    const order = orderOf(organizationId);
    const [next] = newReleases
      .filter((release) => release.projectId === projectId && order(release.version, after) > 0)
      .map(({ version }) => version)
      .sort(order);
    if (next !== undefined) found.set(issueId, { version: next, said: { wasNextRelease: true } });
  }
  return found;
}
