import type { BlobKey } from '#protocol/blob-key.ts';
import { TELEMETRY_KINDS, type TelemetryKind } from '#protocol/telemetry.ts';
import type { UserKey } from './user-activity.ts';

/** Of telemetry all but check-ins, which name a monitor. */
const TELEMETRY_OF_PEOPLE = TELEMETRY_KINDS.filter(
  (kind): kind is Exclude<TelemetryKind, 'checkIns'> => kind !== 'checkIns',
);

/** Kinds of rows that can belong to a person. Those from `stagedEvents` on are copies for the use of the store alone. */
export const PERSON_KINDS = ['events', ...TELEMETRY_OF_PEOPLE, 'stagedEvents', 'searchValues'] as const;
export type PersonKind = (typeof PERSON_KINDS)[number];

/** Whose rows are meant: those that arrived up to a moment in an organization and carry one of the identifiers. */
export type PersonQuery = {
  organizationId: number;
  identifiers: readonly UserKey[];
  /** Of the identifiers, as sessions have them. */
  distinctIdHashes: readonly string[];
  /** Milliseconds since the epoch. */
  receivedUntilMs: number;
};

export type PersonCount = { kind: PersonKind; projectId: number; rows: number };

/** One row as it is stored, by the names of its columns. */
export type PersonRow = { rowId: string; row: Readonly<Record<string, unknown>> };

/**
 * Rows of a person, by the number of the request that they are noted for. Every call may be repeated; what one left
 * unfinished, the next one finishes. Source: ClickHouse.
 */
export interface PersonRows {
  /** Notes which rows belong to the person. Reads everything that the organization has stored. */
  note(requestId: number, query: PersonQuery): Promise<void>;
  /** What is noted, hidden rows included. */
  count(requestId: number): Promise<readonly PersonCount[]>;
  /** Keys of the blobs of noted rows, ascending, after a key; at most `limit`. */
  listBlobKeys(requestId: number, after: BlobKey, limit: number): Promise<readonly BlobKey[]>;
  /** Hashes of noted events, ascending. */
  listHashes(
    requestId: number,
    after: string,
    limit: number,
  ): Promise<readonly { projectId: number; hash: string }[]>;
  /** Noted rows that can be read, each once, by id, after an id; at most `limit`. */
  read(requestId: number, kind: PersonKind, after: string, limit: number): Promise<readonly PersonRow[]>;
  /** The id of the last of so many noted rows after an id; null when none follows. */
  skip(requestId: number, kind: PersonKind, after: string, limit: number): Promise<string | null>;
  /** Noted rows are in no answer any more when it resolves. Their bytes stay until their parts are purged. */
  hide(requestId: number, query: Pick<PersonQuery, 'organizationId' | 'receivedUntilMs'>): Promise<void>;
  /** Whether a noted row that arrived in time can still be read. Values that searches suggest do not count: they come again. */
  hasVisible(
    requestId: number,
    query: Pick<PersonQuery, 'organizationId' | 'receivedUntilMs'>,
  ): Promise<boolean>;
  /** Forgets what is noted. */
  forget(requestId: number): Promise<void>;
  /** Requests for which something is noted. */
  listNoted(): Promise<readonly number[]>;
}

/** Parts of a table with rows that are deleted and still on disk. */
export type HiddenRows = {
  table: string;
  /** Id of the partition. */
  partition: string;
  /** What its parts occupy, and what rewriting them needs beside it. */
  bytes: number;
};

/** Rows that are deleted: hidden at once, and on disk until the parts that hold them are rewritten. Source: ClickHouse. */
export interface DeletedRows {
  listHidden(): Promise<readonly HiddenRows[]>;
  /** Rewrites the parts without the rows; done when it resolves. */
  purge(hidden: HiddenRows): Promise<void>;
  /** Deletes files of parts that were replaced before a moment and are old enough; answers how many are still there. */
  clearReplaced(beforeMs: number): Promise<number>;
  /** Whether tables of a backup hold parts, which may have rows that were deleted since. */
  hasHeld(): Promise<boolean>;
  /** Drops these tables with their files. Only under the lock of backups. */
  dropHeld(): Promise<void>;
}
