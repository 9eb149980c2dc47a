import type { StoredKind } from './stored-days.ts';

/** What of deleted issues lies in the analytic store. Source: ClickHouse. */
export interface DeletedEventStore {
  /** Keys of the blobs of their attachments, ascending, after a key; at most `limit`. */
  listBlobKeys(deletion: EventDeletion, after: string, limit: number): Promise<readonly string[]>;
  /** The rows of attachments that name blobs up to this key, whose blobs are gone. */
  deleteBlobRows(deletion: EventDeletion, lastKey: string): Promise<void>;
  /** Attachments, feedback and the events themselves. May be repeated; nothing is left when it resolves. */
  deleteEvents(deletion: EventDeletion): Promise<void>;
}

/** What of deleted projects lies in the analytic store. Source: ClickHouse. */
export interface DeletedProjectData {
  /** Keys of the blobs that its rows name, ascending, after a key; at most `limit`. */
  listBlobKeys(project: ProjectRows, after: string, limit: number): Promise<readonly string[]>;
  /** The rows that name blobs up to this key, whose blobs are gone. */
  deleteBlobRows(project: ProjectRows, lastKey: string): Promise<void>;
  /** How many rows of each kind there are, for who wants to know what was deleted. */
  countRows(project: ProjectRows): Promise<Readonly<Partial<Record<StoredKind, number>>>>;
  /** Rows of every kind are in no answer any more when it resolves. May be repeated. */
  deleteRows(project: ProjectRows): Promise<void>;
}

/** Events that have to go: those of the hashes that arrived up to a moment. */
export type EventDeletion = {
  id: number;
  organizationId: number;
  projectId: number;
  hashes: readonly string[];
  /** Milliseconds since the epoch. */
  requestedAt: number;
};

/** A project that is gone, of which the analytic store and the blobs may still hold something. */
export type ProjectRows = { organizationId: number; projectId: number };

export type DeletedProject = ProjectRows & {
  /** Milliseconds since the epoch. */
  deletedAt: number;
  /** How often its data was removed: what was on its way at the time arrives after the first. */
  sweeps: number;
  /** Of how many sweeps it was noted what they removed; absent for none. */
  counted?: number;
};
