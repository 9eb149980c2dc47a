import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, stat, unlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { invalid, unavailable } from '#lib/errors.ts';
import type { ArtifactFileReader, ArtifactFileStore, Checksum } from '#storage/ports/artifact-files.ts';
import { artifactPlace } from './artifact-file-path.ts';
import { listOlderArtifacts, removeAbandonedUploads } from './artifact-file-sweep.ts';
import { type DurableFolders, openDurableFile, refusedByDisk, syncFolder } from './durable-file.ts';

const STORE = 'store of uploads';

/**
 * Uploads as files below a folder. What is still being written lies in the folder itself, under a name that no checksum
 * has; a crash leaves it there until `removeAbandoned`.
 */
export function openDiskArtifactFileStore(folder: string): ArtifactFileStore {
  const root = resolve(folder);
  const durable: DurableFolders = new Set();

  return {
    async create(organizationId, { expected, bytesMax }) {
      if (expected !== null) artifactPlace(root, organizationId, expected);
      const file = openDurableFile(STORE, root, root, durable);
      const hash = createHash('sha1');
      let bytes = 0;
      let checksum: Checksum | null = null;
      const endOfBytes = (): Checksum => {
        checksum ??= hash.digest('hex');
        if (expected === null || checksum === expected) return checksum;
        throw invalid(`The bytes have the checksum ${checksum}, not ${expected}: upload them again`);
      };
      return {
        write(chunk) {
          if (checksum !== null) throw new Error('The upload was read already: nothing more can be written');
          bytes += chunk.length;
          if (bytes > bytesMax) throw invalid(`The upload has more than ${bytesMax} bytes`);
          hash.update(chunk);
          file.write(chunk);
        },
        async read() {
          endOfBytes();
          return await readerOf(await file.read());
        },
        async finish() {
          try {
            const named = endOfBytes();
            await file.finish(artifactPlace(root, organizationId, named));
            return { checksum: named, bytes };
          } catch (error) {
            await file.abort();
            throw error;
          }
        },
        abort: file.abort,
      };
    },

    async open(organizationId, checksum) {
      const { file } = artifactPlace(root, organizationId, checksum);
      try {
        const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
        return await readerOf(handle);
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },

    async has(organizationId, checksum) {
      return (await writtenAt(artifactPlace(root, organizationId, checksum).file)) !== null;
    },

    async delete(organizationId, checksum, writtenBefore) {
      const place = artifactPlace(root, organizationId, checksum);
      const at = await writtenAt(place.file);
      if (at === null || at >= writtenBefore) return false;
      try {
        await unlink(place.file);
        await syncFolder(place.folder);
      } catch (error) {
        if (!isMissing(error)) throw refusedByDisk(STORE, error);
        return false;
      }
      return true;
    },

    listOlder: (writtenBefore, after, limit) => listOlderArtifacts(root, writtenBefore, after, limit),
    removeAbandoned: (nowMs) => removeAbandonedUploads(root, nowMs),
  };
}

async function readerOf(handle: FileHandle): Promise<ArtifactFileReader> {
  const { size } = await handle.stat();
  return {
    bytes: size,
    async read(from, to) {
      if (!(from >= 0 && from <= to && to <= size)) {
        throw new Error(`${from} to ${to} is no range of a file of ${size} bytes`);
      }
      const buffer = Buffer.allocUnsafe(to - from);
      for (let filled = 0; filled < buffer.length; ) {
        const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, from + filled);
        if (bytesRead === 0) throw unavailable(`A file of the ${STORE} has become shorter: check the disk`);
        filled += bytesRead;
      }
      return buffer;
    },
    close: () => handle.close(),
  };
}

/** null when there is no such file. */
async function writtenAt(file: string): Promise<number | null> {
  try {
    return (await stat(file)).mtimeMs;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
