import type { Commit, CommitAuthor } from '#product/commits/commit.ts';
import type { Deploy } from './deploy-store.ts';

/** Of a search for releases. */
export const SEARCH_CHARACTERS_MAX = 250;

/** A release as a list to choose from shows it. */
export type ReleaseSummary = {
  version: string;
  /** Milliseconds since the epoch: when it was released, else when it was first seen. */
  dateMs: number;
};

export const RELEASE_SORTS = ['date', 'version'] as const;
/** `date`: released, or else first seen, last. `version`: the highest semantic version, then what has none. */
export type ReleaseSort = (typeof RELEASE_SORTS)[number];

/** By how the sessions of a release went; releases without any are left out. */
export const RELEASE_RANKS = [
  'adoption',
  'crash_free_sessions',
  'crash_free_users',
  'sessions',
  'users',
] as const;
/** The most first, but the least crash-free. `adoption`: of the last 24 hours; the others are of the range. */
export type ReleaseRank = (typeof RELEASE_RANKS)[number];

export const isReleaseRank = (sort: ReleaseSort | ReleaseRank): sort is ReleaseRank =>
  RELEASE_RANKS.some((rank) => rank === sort);

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
  /** null until its release date is set. */
  releasedAt: number | null;
  /** When the work on it began; null until it is set. */
  startedAt: number | null;
  firstSeen: number;
  /** Of a page about it; null when unknown. */
  url: string | null;
  /** What it was made from, such as a tag; null when unknown. */
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
