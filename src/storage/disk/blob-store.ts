import { constants } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { invalid } from '#lib/errors.ts';
import { BlockPacker, openBlockStream, type PackedSource, readContentBytes } from '#lib/packed-blocks.ts';
import type { BlobKey } from '#protocol/blob-key.ts';
import type { BlobStore, BlobWriter } from '#storage/ports/blobs.ts';
import {
  blobKeys,
  dayNames,
  deleteBlobDay,
  deleteUnnamedBlobs,
  listBlobUsage,
  occupiedBytes,
  removeStaleWrites,
  sumOfDays,
} from './blob-days.ts';
import { type BlobPath, blobPath } from './blob-path.ts';
import { type DurableFolders, openDurableFile, refusedByDisk, syncFolder } from './durable-file.ts';

/** Bytes that `put` hands to the system at once. */
const PUT_CHUNK_BYTES = 1024 * 1024;

/**
 * Blobs as compressed files below a folder: `<folder>/<day>/<project>/<name>+z`. A crash leaves files behind that were being
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
    isLocal: true,
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
        throw invalid(`${range.from} to ${range.to} is not a valid byte range`);
      }
      const found = await openForReading(blobPath(root, key));
      if (!found) return null;
      const { handle, isPacked } = found;
      if (range && range.from === range.to) {
        await handle.close();
        return Readable.from([]);
      }
      if (!isPacked) return handle.createReadStream(range ? { start: range.from, end: range.to - 1 } : {});
      return closingOnFailure(handle, async () => openBlockStream(await fileSource(handle), range));
    },
    async readWhole(key, bytesMax) {
      const found = await openForReading(blobPath(root, key));
      if (!found) return null;
      const { handle } = found;
      const bytes = await closingOnFailure(handle, () => contentBytes(found));
      if (bytes > bytesMax) {
        await handle.close();
        return null;
      }
      if (!found.isPacked) return handle.readFile().finally(() => handle.close());
      const stream = await closingOnFailure(handle, async () => openBlockStream(await fileSource(handle)));
      return Buffer.concat(await stream.toArray());
    },
    async size(key) {
      const found = await openForReading(blobPath(root, key));
      return found && contentBytes(found).finally(() => found.handle.close());
    },
    async storedBytes(key) {
      const found = await openForReading(blobPath(root, key));
      if (!found) return null;
      return found.handle
        .stat()
        .then(occupiedBytes)
        .finally(() => found.handle.close());
    },
    async delete(key) {
      const path = blobPath(root, key);
      try {
        const removed = await Promise.all([path.file, path.plainFile].map(removeFile));
        if (removed.includes(true)) await syncFolder(path.folder);
      } catch (error) {
        if (!isMissing(error)) throw refusedByDisk(BLOB_STORE, error);
      }
    },
    listDayNames: () => dayNames(root),
    listDays: async () => sumOfDays(await listBlobUsage(root)),
    listUsage: () => listBlobUsage(root),
    listKeys: (day) => blobKeys(root, day),
    deleteDay: (day) => deleteBlobDay(root, day),
    deleteUnnamed: (day, projectId, findNamed, beforeMs) =>
      deleteUnnamedBlobs(root, { day, projectId }, findNamed, beforeMs),
    // What is wrong with the disk shows elsewhere.
    async check() {},
  };
}

type FoundBlob = { handle: FileHandle; isPacked: boolean };

const contentBytes = async ({ handle, isPacked }: FoundBlob): Promise<number> =>
  isPacked ? readContentBytes(await fileSource(handle)) : (await handle.stat()).size;

async function fileSource(handle: FileHandle): Promise<PackedSource> {
  const { size } = await handle.stat();
  return {
    bytes: size,
    async read(from, length) {
      const buffer = Buffer.allocUnsafe(length);
      for (let offset = 0; offset < length; ) {
        const { bytesRead } = await handle.read(buffer, offset, length - offset, from + offset);
        if (bytesRead === 0) throw new Error('A blob is shorter than its footer says');
        offset += bytesRead;
      }
      return buffer;
    },
    close: () => handle.close(),
  };
}

async function closingOnFailure<Result>(handle: FileHandle, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openForReading({ file, plainFile }: BlobPath): Promise<FoundBlob | null> {
  for (const each of [file, plainFile]) {
    try {
      const handle = await open(each, constants.O_RDONLY | constants.O_NOFOLLOW);
      return { handle, isPacked: each === file };
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  return null;
}

/** False when it was not there. */
async function removeFile(file: string): Promise<boolean> {
  try {
    await unlink(file);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

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
      if (isOver) throw new Error(`The blob ${key} is closed: nothing more can be written`);
      packer.push(chunk);
    },
    async finish() {
      if (isOver) throw new Error(`The blob ${key} is closed: it cannot be finished again`);
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
