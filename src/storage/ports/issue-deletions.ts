import type { Level } from '#protocol/event.ts';

/** Events that have to go: those of the hashes that arrived up to a moment. */
export type EventDeletion = {
  id: number;
  organizationId: number;
  projectId: number;
  hashes: readonly string[];
  /** Milliseconds since the epoch. */
  requestedAt: number;
};

export type DiscardedIssue = {
  id: number;
  projectId: number;
  shortId: string;
  title: string;
  culprit: string;
  level: Level;
  /** null when the user is gone. */
  discardedBy: { id: string; name: string } | null;
  /** Milliseconds since the epoch. */
  discardedAt: number;
};

/** Issues that are deleted, and hashes whose events are dropped. Source: PostgreSQL. */
export interface IssueDeletionStore {
  /**
   * In one transaction: the issues with all that hangs on them are gone, their events are noted for deletion, and, when
   * discarding, their hashes are too. Answers the ids of those that were there.
   */
  deleteIssues(
    organizationId: number,
    issueIds: readonly number[],
    options: { discard: boolean },
    userId: string | null,
    atMs: number,
  ): Promise<readonly number[]>;
  /** Whose turn it is comes first: the oldest of those that were not postponed. */
  listWaiting(limit: number): Promise<readonly EventDeletion[]>;
  /** It goes on after all others that wait, with an id of then. */
  postpone(deletionId: number): Promise<void>;
  finish(deletionId: number, atMs: number): Promise<void>;
  /** Issues that hashes map to, with all their hashes; for what arrived before a deletion and was digested after it. */
  listIssuesOf(
    projectId: number,
    hashes: readonly string[],
  ): Promise<readonly { issueId: number; hashes: readonly string[]; timesSeen: number }[]>;
  /** Only while it was seen as often as given. */
  deleteEmpty(issueId: number, timesSeen: number): Promise<boolean>;
  /** Newest first, at most `limit`. */
  listDiscarded(organizationId: number, projectId: number, limit: number): Promise<readonly DiscardedIssue[]>;
  /** Its events are taken again. False when the project has no such one. */
  restore(organizationId: number, projectId: number, discardedId: number): Promise<boolean>;
  /** Changes whenever a hash is discarded or restored; for caches. */
  stampDiscarded(): Promise<string>;
  /** Every discarded hash of the instance, newest first, at most `limit`. */
  listDiscardedHashes(limit: number): Promise<readonly { projectId: number; hash: string }[]>;
}

/** What of deleted issues lies in the analytic store. Source: ClickHouse. */
export interface DeletedEventStore {
  /** Keys of the blobs of their attachments, ascending, after a key; at most `limit`. */
  listBlobKeys(deletion: EventDeletion, after: string, limit: number): Promise<readonly string[]>;
  /** The rows of attachments that name blobs up to this key, whose blobs are gone. */
  deleteBlobRows(deletion: EventDeletion, lastKey: string): Promise<void>;
  /** Attachments, feedback and the events themselves. May be repeated; nothing is left when it resolves. */
  deleteEvents(deletion: EventDeletion): Promise<void>;
}
