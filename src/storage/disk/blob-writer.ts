import type { BlobKey } from '#protocol/blob-key.ts';
import type { BlobWriter } from '#storage/ports/blobs.ts';
import type { BlobPath } from './blob-path.ts';
import { type DurableFolders, openDurableFile } from './durable-file.ts';

/** As errors name it. */
export const BLOB_STORE = 'blob store';

/**
 * Writes a blob, which has its name once `finish` resolves. Throws ErrataError 'unavailable' when the disk refuses;
 * what was written is then left to `abort`.
 */
export function openBlobWriter(
  root: string,
  key: BlobKey,
  path: BlobPath,
  durable: DurableFolders,
): BlobWriter {
  const file = openDurableFile(BLOB_STORE, root, path.folder, durable);
  return { key, write: file.write, finish: () => file.finish(path), abort: file.abort };
}
