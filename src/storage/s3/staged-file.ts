import { createHash, randomBytes } from 'node:crypto';
import { closeSync, createReadStream, mkdirSync, openSync, writeSync } from 'node:fs';
import { type FileHandle, open, readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { unavailable } from '#lib/errors.ts';
import { MINUTE_MS } from '#lib/time.ts';

/** No request takes this long: a file that has not grown since belongs to nobody any more. */
const STALE_MS = 15 * MINUTE_MS;
/** Removed in one sweep. */
const STALE_FILES_MAX = 10_000;

/** What waits to be sent, on the disk of this machine: it can be sent again, and its length and its MD5 are known first. */
export type StagedFile = {
  /** Throws ErrataError 'unavailable' when the disk refuses. */
  write(chunk: Uint8Array): void;
  /** No more is written. `md5` in base64. */
  end(): { bytes: number; md5: string };
  read(): Readable;
  /** For reading parts of it; the caller closes it. */
  open(): Promise<FileHandle>;
  /** Leaves nothing behind. */
  remove(): Promise<void>;
};

/** Not synced: with the machine the request is lost as well. */
export function openStagedFile(folder: string): StagedFile {
  const path = join(folder, randomBytes(16).toString('hex'));
  const descriptor = onDisk(() => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return openSync(path, 'wx', 0o600);
  });
  const hash = createHash('md5');
  let bytes = 0;
  let isOpen = true;
  const close = () => {
    if (isOpen) closeSync(descriptor);
    isOpen = false;
  };
  return {
    write(chunk) {
      onDisk(() => {
        for (let offset = 0; offset < chunk.length; )
          offset += writeSync(descriptor, chunk, offset, chunk.length - offset);
      });
      hash.update(chunk);
      bytes += chunk.length;
    },
    end() {
      close();
      return { bytes, md5: hash.digest('base64') };
    },
    read: () => createReadStream(path),
    open: () => open(path, 'r'),
    async remove() {
      close();
      await unlink(path).catch(() => {});
    },
  };
}

/** Removes what was being sent when a process died; answers how many files. */
export async function removeStaleFiles(folder: string, nowMs: number): Promise<number> {
  let removed = 0;
  for (const name of (await readdir(folder).catch(() => [])).slice(0, STALE_FILES_MAX)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (!found || nowMs - found.mtimeMs < STALE_MS) continue;
    await unlink(path).catch(() => {});
    removed += 1;
  }
  return removed;
}

function onDisk<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw unavailable(
      `A body could not be staged for the blob store (${(error as NodeJS.ErrnoException).code ?? String(error)}): check the data directory's disk`,
      error,
    );
  }
}
