import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { invalid, unavailable } from '#lib/errors.ts';
import { readFileRange } from '#lib/file-range.ts';
import { artifactName, isChecksum, isOrganization, isShard } from '#protocol/artifact-name.ts';
import type {
  ArtifactFilePlace,
  ArtifactFileReader,
  ArtifactFileStore,
  Checksum,
} from '#storage/ports/artifact-files.ts';
import {
  type DurableFolders,
  type FilePlace,
  openDurableFile,
  refusedByDisk,
  syncFolder,
  TEMPORARY_PREFIX,
} from './durable-file.ts';

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
          if (checksum !== null)
            throw new Error('The upload has already been read: nothing more can be written');
          bytes += chunk.length;
          if (bytes > bytesMax) throw invalid(`The upload is larger than ${bytesMax} bytes`);
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
    read: (from, to) =>
      readFileRange(handle, { from, to, bytes: size }, () =>
        unavailable(`A file in the ${STORE} is shorter than expected: check the disk`),
      ),
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

/** Throws ErrataError 'invalid' for what names no file of ours. */
function artifactPlace(root: string, organizationId: number, checksum: Checksum): FilePlace {
  const file = join(root, artifactName(organizationId, checksum));
  return { folder: dirname(file), file };
}

/** No upload takes this long without a byte: a file that has not grown since belongs to nobody any more. */
const STALE_MS = 60 * 60 * 1000;

/** By organization, then checksum. */
async function listOlderArtifacts(
  root: string,
  writtenBefore: number,
  after: ArtifactFilePlace | null,
  limit: number,
): Promise<readonly ArtifactFilePlace[]> {
  const found: ArtifactFilePlace[] = [];
  const organizations = (await namesIn(root)).filter(isOrganization).map(Number).sort(ascending);
  for (const organizationId of organizations) {
    if (after && organizationId < after.organizationId) continue;
    const from = after?.organizationId === organizationId ? after.checksum : '';
    const folder = join(root, String(organizationId));
    for (const shard of (await namesIn(folder)).filter(isShard).sort()) {
      if (shard < from.slice(0, 2)) continue;
      for (const checksum of (await namesIn(join(folder, shard))).filter(isChecksum).sort()) {
        if (checksum <= from) continue;
        const facts = await lstat(join(folder, shard, checksum)).catch(ignoreMissing);
        if (!facts || facts.mtimeMs >= writtenBefore) continue;
        found.push({ organizationId, checksum });
        if (found.length >= limit) return found;
      }
    }
  }
  return found;
}

/** Removes what was being written when a process died; answers how many files. */
async function removeAbandonedUploads(root: string, nowMs: number): Promise<number> {
  let removed = 0;
  for (const name of await namesIn(root)) {
    if (!name.startsWith(TEMPORARY_PREFIX)) continue;
    const file = join(root, name);
    const facts = await lstat(file).catch(ignoreMissing);
    if (!facts || nowMs - facts.mtimeMs < STALE_MS) continue;
    await unlink(file).catch(ignoreMissing);
    removed += 1;
  }
  return removed;
}

/** None when the folder is not there. */
async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    ignoreMissing(error);
    return [];
  }
}

function ignoreMissing(error: unknown): null {
  if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
  throw error;
}

const ascending = (a: number, b: number): number => a - b;
