import { randomBytes } from 'node:crypto';
import { close, closeSync, fsync, mkdirSync, openSync, writeSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { unavailable } from '#lib/errors.ts';

const syncFile = promisify(fsync);
const closeFile = promisify(close);

/** Names of files that are still being written. */
export const TEMPORARY_PREFIX = '.writing-';

/** Folders whose own names are known to be durable, up to the store's root. */
export type DurableFolders = Set<string>;
/** Folders remembered as synced. */
const DURABLE_FOLDERS_MAX = 10_000;

export type FilePlace = { folder: string; file: string };

export type DurableFile = {
  /** Throws ErrataError 'unavailable' when the disk refuses. */
  write(chunk: Uint8Array): void;
  /** What was written so far, for reading. */
  read(): Promise<FileHandle>;
  /** Syncs the bytes, gives them their name, and syncs that. */
  finish(place: FilePlace): Promise<{ bytes: number }>;
  /** Leaves nothing behind. */
  abort(): Promise<void>;
};

/**
 * Writes into a temporary name of the folder until `finish` names the file. Throws ErrataError 'unavailable' when the
 * disk refuses; what was written is then left to `abort`. `store` is for people, who read it in errors.
 */
export function openDurableFile(
  store: string,
  root: string,
  folder: string,
  durable: DurableFolders,
): DurableFile {
  const temporary = join(folder, `${TEMPORARY_PREFIX}${randomBytes(12).toString('hex')}`);
  const descriptor = openTemporary(store, folder, temporary, durable);
  let bytes = 0;
  let state: 'open' | 'finishing' | 'finished' | 'aborted' = 'open';
  let isDescriptorOpen = true;

  return {
    write(chunk) {
      if (state !== 'open')
        throw new Error(`A file in the ${store} is ${state}: nothing more can be written`);
      try {
        // The system may take less than all of it.
        for (let offset = 0; offset < chunk.length; ) {
          offset += writeSync(descriptor, chunk, offset, chunk.length - offset);
        }
      } catch (error) {
        throw refusedByDisk(store, error);
      }
      bytes += chunk.length;
    },
    read: () => open(temporary, 'r'),
    async finish(place) {
      if (state !== 'open')
        throw new Error(`A file in the ${store} is ${state}: it cannot be finished again`);
      state = 'finishing';
      try {
        await syncFile(descriptor);
        isDescriptorOpen = false;
        await closeFile(descriptor);
        if (place.folder !== folder) await mkdir(place.folder, { recursive: true, mode: 0o700 });
        await rename(temporary, place.file);
        await syncFolders(root, place.folder, durable);
      } catch (error) {
        throw refusedByDisk(store, error);
      }
      state = 'finished';
      return { bytes };
    },
    async abort() {
      if (state === 'finished' || state === 'aborted') return;
      state = 'aborted';
      if (isDescriptorOpen) closeSync(descriptor);
      isDescriptorOpen = false;
      await unlink(temporary).catch(() => {});
    },
  };
}

/** What goes wrong below us is the disk's: full, away, broken. */
export const refusedByDisk = (store: string, error: unknown): Error =>
  unavailable(
    `The ${store} could not be written (${(error as NodeJS.ErrnoException).code ?? String(error)}): check the data directory's disk`,
    error,
  );

function openTemporary(store: string, folder: string, temporary: string, durable: DurableFolders): number {
  for (let attempt = 1; ; attempt++) {
    try {
      return openSync(temporary, 'wx', 0o600);
    } catch (error) {
      // Retention may remove an empty folder between the two calls.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt > 3)
        throw refusedByDisk(store, error);
    }
    durable.delete(folder);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw refusedByDisk(store, error);
    }
  }
}

/**
 * The new name in its folder. The first time also the names of the folders above: whoever made them, also another
 * writer that is not done yet, may not have synced them.
 */
async function syncFolders(root: string, folder: string, durable: DurableFolders): Promise<void> {
  await syncFolder(folder);
  if (durable.has(folder)) return;
  for (let above = dirname(folder); ; above = dirname(above)) {
    await syncFolder(above);
    if (above === dirname(root) || above === dirname(above)) break;
  }
  if (durable.size >= DURABLE_FOLDERS_MAX) durable.clear();
  durable.add(folder);
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
