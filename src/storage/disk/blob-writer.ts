import type { BlobKey } from '#protocol/blob-key.ts';
import type { BlobWriter } from '#storage/ports/blobs.ts';
import { BlockPacker } from './blob-blocks.ts';
import type { BlobPath } from './blob-path.ts';
import { type DurableFolders, openDurableFile } from './durable-file.ts';

/** As errors name it. */
export const BLOB_STORE = 'blob store';

/**
 * Writes a blob, compressed, which has its name once `finish` resolves. Throws ErrataError 'unavailable' when the disk
 * refuses; what was written is then left to `abort`.
 */
export function openBlobWriter(
  root: string,
  key: BlobKey,
  path: BlobPath,
  durable: DurableFolders,
): BlobWriter {
  const file = openDurableFile(BLOB_STORE, root, path.folder, durable);
  const packer = new BlockPacker(file.write);
  let isOver = false;
  return {
    key,
    get storedBytes() {
      return packer.storedBytes;
    },
    write(chunk) {
      if (isOver) throw new Error(`The blob ${key} is over: nothing more can be written`);
      packer.push(chunk);
    },
    async finish() {
      if (isOver) throw new Error(`The blob ${key} is over: it cannot be finished again`);
      isOver = true;
      packer.end();
      await file.finish(path);
      return { bytes: packer.bytes };
    },
    async abort() {
      isOver = true;
      await file.abort();
    },
  };
}
