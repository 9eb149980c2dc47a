import type { Readable } from 'node:stream';
import type { BlobKey } from '#protocol/blob-key.ts';

export interface BlobWriter {
  readonly key: BlobKey;
  /** Throws ErrataError 'unavailable' when the disk refuses. Blocks no longer than a copy into the page cache. */
  write(chunk: Uint8Array): void;
  /** Resolves once the blob and its name are durable. */
  finish(): Promise<{ bytes: number }>;
  /** Leaves nothing behind. */
  abort(): Promise<void>;
}

/** Large bodies: attachments, dumps, replays, profiles. Source: files below the data directory; S3 fits the interface. */
export interface BlobStore {
  /** For bodies of unknown length; the blob is seen under its key once `finish` resolves. */
  create(key: BlobKey): BlobWriter;
  /** Durable when it resolves. The same key with the same bytes may be put again. */
  put(key: BlobKey, bytes: Uint8Array): Promise<void>;
  /** null when there is no such blob. `range` is half-open, in bytes. */
  read(key: BlobKey, range?: { from: number; to: number }): Promise<Readable | null>;
  /** Whole, for what is known to be small; null when there is no such blob or it is larger than `bytesMax`. */
  readWhole(key: BlobKey, bytesMax: number): Promise<Buffer | null>;
  /** Bytes; null when there is no such blob. */
  size(key: BlobKey): Promise<number | null>;
  delete(key: BlobKey): Promise<void>;
  /** Oldest day first. */
  listDays(): Promise<readonly { day: string; bytes: number; blobs: number }[]>;
  /** Deletes all blobs of a day; answers what was freed. */
  deleteDay(day: string): Promise<{ bytes: number; blobs: number }>;
}
