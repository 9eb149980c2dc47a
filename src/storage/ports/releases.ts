import type { Commit, CommitAuthor } from './commits.ts';
import type { Deploy } from './deploys.ts';

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

export const RELEASE_STATUSES = ['open', 'archived'] as const;
/** What is archived is left out of lists; it goes on to exist. */
export type ReleaseStatus = (typeof RELEASE_STATUSES)[number];

export type Release = {
  id: number;
  version: string;
  status: ReleaseStatus;
  /** Milliseconds since the epoch, as all times here: when somebody made it, else when a program first named it. */
  createdAt: number;
  /** null until somebody tells when it was released. */
  releasedAt: number | null;
  /** When the work on it began; null until somebody tells. */
  startedAt: number | null;
  firstSeen: number;
  /** Of a page about it; null when nobody told. */
  url: string | null;
  /** What it was made from, such as a tag; null when nobody told. */
  ref: string | null;
  /** Of the asked projects those that have seen it, with when they first did. */
  projects: readonly { projectId: number; firstSeen: number }[];
};

export const RELEASE_ISSUES = ['new', 'regressed', 'resolved'] as const;
/** First seen in the release, came back in it, or marked as resolved in it. */
export type ReleaseIssues = (typeof RELEASE_ISSUES)[number];

/** What is absent stays as it is. */
export type ReleaseChange = {
  status?: ReleaseStatus;
  url?: string | null;
  ref?: string | null;
  startedAt?: number | null;
  releasedAt?: number | null;
};

/** What stands beside a release in lists. */
export type ReleaseFacts = {
  commitCount: number;
  deployCount: number;
  /** The one that finished last; null without any. */
  lastDeploy: Deploy | null;
  /** The newest commit; null without any. */
  lastCommit: Commit | null;
  /** Of its commits, those with the most first; a few. */
  authors: readonly CommitAuthor[];
  /** Issues that were first seen in it, by project; projects without any are left out. */
  newIssues: ReadonlyMap<number, number>;
};

/** Releases as people and builds make them; part of the store of releases. */
export interface ReleaseChangeStore {
  /**
   * Makes the release, or changes the one that there is, and gives it the projects besides those that it has. One
   * transaction. Projects that are gone are left out.
   */
  save(
    organizationId: number,
    release: { version: string; projectIds: readonly number[]; change: ReleaseChange },
    atMs: number,
  ): Promise<{ releaseId: number; isNew: boolean; newProjectIds: readonly number[] }>;
  /** False when the organization has no such release. */
  change(organizationId: number, releaseId: number, change: ReleaseChange): Promise<boolean>;
  /** Every project of the release, also those that whoever asks may not see. */
  listProjectIds(organizationId: number, releaseId: number): Promise<readonly number[]>;
  /** Issues that happened in it or began with it, which it therefore cannot be deleted from under. */
  countIssues(organizationId: number, releaseId: number): Promise<number>;
  /** Issues that are resolved in it, or in the release after it: it decides what brings them back. */
  countResolvedIn(organizationId: number, releaseId: number): Promise<number>;
  /** With its commits' places, deploys and projects; commits stay. False when the organization has no such release. */
  delete(organizationId: number, releaseId: number): Promise<boolean>;
  /** Of the given releases; each has an entry. */
  describe(
    organizationId: number,
    projectIds: readonly number[],
    releaseIds: readonly number[],
  ): Promise<ReadonlyMap<number, ReleaseFacts>>;
  /**
   * Releases of any of the projects that have commits, from the given one back by date, newest first; the given one
   * itself only with `isIncluded`.
   */
  listWithCommits(
    organizationId: number,
    projectIds: readonly number[],
    releaseId: number,
    options: { isIncluded: boolean; limit: number },
  ): Promise<readonly Release[]>;
}

/** Releases that projects have seen. Source: PostgreSQL. Every call is scoped by organization. */
export interface ReleaseStore extends ReleaseChangeStore {
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
      /** null for any. */
      status: ReleaseStatus | null;
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
  /** Those seen last come first; `total` counts all of them. */
  listIssues(
    organizationId: number,
    projectIds: readonly number[],
    version: string,
    which: ReleaseIssues,
    limit: number,
  ): Promise<{ issueIds: readonly number[]; total: number }>;
}
