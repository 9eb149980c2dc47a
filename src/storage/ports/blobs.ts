import type { Readable } from 'node:stream';
import type { BlobKey } from '#protocol/blob-key.ts';

export interface BlobWriter {
  readonly key: BlobKey;
  /** What the disk holds of it so far. */
  readonly storedBytes: number;
  /** Throws ErrataError 'unavailable' when the disk refuses. Blocks for compressing it: about 2 ms a MiB. */
  write(chunk: Uint8Array): void;
  /** Resolves once the blob and its name are durable; answers the length of the content. */
  finish(): Promise<{ bytes: number }>;
  /** Leaves nothing behind. */
  abort(): Promise<void>;
}

/** What the blobs of one project of one day occupy. */
export type BlobUsage = { day: string; projectId: number; bytes: number; blobs: number };

/**
 * Large bodies: attachments, dumps, replays, profiles. They are stored compressed; ranges and sizes are those of the
 * content unless they are said to be stored. Source: files below the data directory, or a bucket of an S3 server.
 */
export interface BlobStore {
  /** Whether they occupy the disk of the data directory, which the disk budget bounds. */
  readonly isLocal: boolean;
  /** For bodies of unknown length; the blob is seen under its key once `finish` resolves. */
  create(key: BlobKey): BlobWriter;
  /** Durable when it resolves. The same key with the same bytes may be put again. */
  put(key: BlobKey, bytes: Uint8Array): Promise<void>;
  /** null when there is no such blob. `range` is half-open, in bytes. */
  read(key: BlobKey, range?: { from: number; to: number }): Promise<Readable | null>;
  /** Whole, for what is known to be small; null when there is no such blob or it is larger than `bytesMax`. */
  readWhole(key: BlobKey, bytesMax: number): Promise<Buffer | null>;
  /** Length of the content; null when there is no such blob. */
  size(key: BlobKey): Promise<number | null>;
  /** What it occupies; null when there is no such blob. */
  storedBytes(key: BlobKey): Promise<number | null>;
  delete(key: BlobKey): Promise<void>;
  /** Days of which there are blobs, oldest first. */
  listDayNames(): Promise<readonly string[]>;
  /** Keys of a day, in pages, in no order. */
  listKeys(day: string): AsyncIterable<readonly BlobKey[]>;
  /** What is occupied, oldest day first. */
  listDays(): Promise<readonly { day: string; bytes: number; blobs: number }[]>;
  /** The same by project, oldest day first. */
  listUsage(): Promise<readonly BlobUsage[]>;
  /** Deletes all blobs of a day; answers what was freed. */
  deleteDay(day: string): Promise<{ bytes: number; blobs: number }>;
  /**
   * Deletes what a project stored on a day before the moment, but for what `findNamed` answers of the keys that it is
   * given, page by page. Answers what was freed.
   */
  deleteUnnamed(
    day: string,
    projectId: number,
    findNamed: (keys: readonly BlobKey[]) => Promise<ReadonlySet<BlobKey>>,
    beforeMs: number,
  ): Promise<{ bytes: number; blobs: number }>;
  /** Throws ErrataError 'unavailable' when the store does not answer, or refuses what it is asked for. */
  check(): Promise<void>;
}
