/** A release as a list to choose from shows it. */
export type ReleaseSummary = {
  version: string;
  /** Milliseconds since the epoch: when it was released, else when it was first seen. */
  dateMs: number;
};

export const RELEASE_SORTS = ['date', 'version'] as const;
/** `date`: released, or else first seen, last. `version`: the highest semantic version, then what has none. */
export type ReleaseSort = (typeof RELEASE_SORTS)[number];

/** Opaque to callers: where the page before ended. */
export type ReleasePlace = { sortValue: string; id: number };

export type Release = {
  id: number;
  version: string;
  /** Milliseconds since the epoch; null until somebody tells when it was released. */
  releasedAt: number | null;
  firstSeen: number;
  /** Of the asked projects those that have seen it, with when they first did. */
  projects: readonly { projectId: number; firstSeen: number }[];
};

export const RELEASE_ISSUES = ['new', 'regressed', 'resolved'] as const;
/** First seen in the release, came back in it, or marked as resolved in it. */
export type ReleaseIssues = (typeof RELEASE_ISSUES)[number];

/** Releases that projects have seen. Source: PostgreSQL. Every call is scoped by organization. */
export interface ReleaseStore {
  /**
   * Releases of all the given projects, newest first. `search` keeps those whose name contains it, in either case; empty
   * keeps all.
   */
  listReleases(
    organizationId: number,
    projectIds: readonly number[],
    options: { search: string; limit: number },
  ): Promise<readonly ReleaseSummary[]>;
  /** The newest release of each project that has one, in the order in which regressions are told. */
  findNewest(organizationId: number, projectIds: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /**
   * Releases of any of the projects. `search` as in `listReleases`; `versions` keeps the named ones, null all.
   */
  listPage(
    organizationId: number,
    projectIds: readonly number[],
    options: {
      search: string;
      versions: readonly string[] | null;
      sort: ReleaseSort;
      limit: number;
      after: ReleasePlace | null;
    },
  ): Promise<{ releases: readonly Release[]; next: ReleasePlace | null }>;
  /** null when none of the projects has seen it. */
  findRelease(
    organizationId: number,
    projectIds: readonly number[],
    version: string,
  ): Promise<Release | null>;
  /**
   * The releases of the same projects before and after it: by semantic version within its package, else by date; null
   * at either end.
   */
  findNeighbours(
    organizationId: number,
    projectIds: readonly number[],
    releaseId: number,
  ): Promise<{ older: string | null; newer: string | null }>;
  /** By version; versions without such an issue are left out. */
  countNewIssues(
    organizationId: number,
    projectIds: readonly number[],
    versions: readonly string[],
  ): Promise<ReadonlyMap<string, number>>;
  /** Those seen last come first; `total` counts all of them. */
  listIssues(
    organizationId: number,
    projectIds: readonly number[],
    version: string,
    which: ReleaseIssues,
    limit: number,
  ): Promise<{ issueIds: readonly number[]; total: number }>;
}
