import type { Archive, Issue } from '#domain/issues/issue.ts';

/** Opaque to callers: an issue at the end of a page, with what it is sorted by. */
export type IssueCursor = { sortValue: number; id: number };

/** A page that follows the issue, or ends before it. */
export type IssuePlace = { side: 'after' | 'before'; of: IssueCursor };

/** `next` and `previous` are null at the ends of the list. */
export type IssuePage = {
  issues: readonly Issue[];
  next: IssuePlace | null;
  previous: IssuePlace | null;
};

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
