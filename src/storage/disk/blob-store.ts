import { constants } from 'node:fs';
import { type FileHandle, open, stat, unlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { invalid } from '#lib/errors.ts';
import type { BlobStore } from '#storage/ports/blobs.ts';
import { deleteBlobDay, listBlobDays, removeStaleWrites } from './blob-days.ts';
import { blobPath } from './blob-path.ts';
import { BLOB_STORE, openBlobWriter } from './blob-writer.ts';
import { type DurableFolders, refusedByDisk, syncFolder } from './durable-file.ts';

/** Bytes that `put` hands to the system at once. */
const PUT_CHUNK_BYTES = 1024 * 1024;

/**
 * Blobs as files below a folder: `<folder>/<day>/<project>/<name>`. A crash leaves files behind that were being
 * written; whoever writes first after it removes them.
 */
export function openDiskBlobStore(folder: string): BlobStore {
  const root = resolve(folder);
  const durable: DurableFolders = new Set();
  let hasSwept = false;
  const create: BlobStore['create'] = (key) => {
    const path = blobPath(root, key);
    if (!hasSwept) {
      hasSwept = true;
      // Nobody waits for it, and what it misses goes with its day.
      removeStaleWrites(root, Date.now()).catch(() => {});
    }
    return openBlobWriter(root, key, path, durable);
  };
  return {
    create,
    async put(key, bytes) {
      const writer = create(key);
      try {
        for (let offset = 0; offset < bytes.length; offset += PUT_CHUNK_BYTES) {
          writer.write(bytes.subarray(offset, offset + PUT_CHUNK_BYTES));
        }
        await writer.finish();
      } catch (error) {
        await writer.abort();
        throw error;
      }
    },
    async read(key, range) {
      if (range && !(range.from >= 0 && range.from <= range.to)) {
        throw invalid(`${range.from} to ${range.to} is no range of bytes`);
      }
      const handle = await openForReading(blobPath(root, key).file);
      if (!handle) return null;
      if (range && range.from === range.to) {
        await handle.close();
        return Readable.from([]);
      }
      return handle.createReadStream(range ? { start: range.from, end: range.to - 1 } : {});
    },
    async readWhole(key, bytesMax) {
      const handle = await openForReading(blobPath(root, key).file);
      if (!handle) return null;
      try {
        const { size } = await handle.stat();
        return size > bytesMax ? null : await handle.readFile();
      } finally {
        await handle.close();
      }
    },
    async size(key) {
      const { file } = blobPath(root, key);
      try {
        return (await stat(file)).size;
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    async delete(key) {
      const path = blobPath(root, key);
      try {
        await unlink(path.file);
        await syncFolder(path.folder);
      } catch (error) {
        if (!isMissing(error)) throw refusedByDisk(BLOB_STORE, error);
      }
    },
    listDays: () => listBlobDays(root),
    deleteDay: (day) => deleteBlobDay(root, day),
  };
}

async function openForReading(file: string): Promise<FileHandle | null> {
  try {
    return await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
