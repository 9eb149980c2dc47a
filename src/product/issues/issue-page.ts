import type { Archive, Issue } from '#domain/issues/issue.ts';

/** Opaque to callers: where the page before ended. */
export type IssueCursor = { sortValue: number; id: number };

export type IssuePage = { issues: readonly Issue[]; next: IssueCursor | null };

/** An archived issue that goes on happening, with what decides whether it comes back. */
export type WatchedIssue = {
  issueId: number;
  organizationId: number;
  projectId: number;
  archive: Archive;
  /** Milliseconds since the epoch. */
  firstSeen: number;
  timesSeen: number;
  hashes: readonly string[];
};
