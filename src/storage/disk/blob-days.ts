import type { Dirent } from 'node:fs';
import { lstat, opendir, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { dayFolder, isDay } from './blob-path.ts';
import { TEMPORARY_PREFIX } from './durable-file.ts';

/** Files that are asked for their size, or removed, at once; no more names than these are held. */
const FILES_AT_ONCE = 64;
/** No request takes this long: a file that has not grown since belongs to nobody any more. */
const STALE_MS = 15 * 60 * 1000;
/** After so many rounds a day stays that is still being written to. */
const DELETE_ROUNDS_MAX = 3;
/** Days that are looked at for files which a crash left behind; older ones go with their day. */
const SWEPT_DAYS = 3;

/** Days that hold blobs, oldest first; files that are still being written count nothing. */
export async function listBlobDays(
  root: string,
): Promise<readonly { day: string; bytes: number; blobs: number }[]> {
  const days: { day: string; bytes: number; blobs: number }[] = [];
  for (const day of await dayNames(root)) {
    const sum = { day, bytes: 0, blobs: 0 };
    await eachFile(join(root, day), async (file, name) => {
      if (name.startsWith(TEMPORARY_PREFIX)) return;
      const found = await lstat(file).catch(ignoreMissing);
      if (!found) return;
      sum.bytes += found.size;
      sum.blobs += 1;
    });
    if (sum.blobs > 0) days.push(sum);
  }
  return days;
}

/** Deletes everything of a day. A day that is not there frees nothing. */
export async function deleteBlobDay(root: string, day: string): Promise<{ bytes: number; blobs: number }> {
  const folder = dayFolder(root, day);
  const freed = { bytes: 0, blobs: 0 };
  // A folder that changes while it is listed may keep a name to itself; the next round finds it.
  for (let round = 1; round <= DELETE_ROUNDS_MAX; round++) {
    await eachFile(folder, async (file, name) => {
      const found = await lstat(file).catch(ignoreMissing);
      await unlink(file).catch(ignoreMissing);
      if (!found || name.startsWith(TEMPORARY_PREFIX)) return;
      freed.bytes += found.size;
      freed.blobs += 1;
    });
    for await (const entry of entriesOf(folder)) {
      if (entry.isDirectory()) await rmdir(join(folder, entry.name)).catch(() => {});
    }
    const isGone = await rmdir(folder)
      .then(
        () => true,
        (error: unknown) => ignoreMissing(error) === null,
      )
      .catch(() => false);
    if (isGone) break;
  }
  return freed;
}

/** Removes what was being written when a process died. Answers how many files. */
export async function removeStaleWrites(root: string, nowMs: number): Promise<number> {
  let removed = 0;
  const days = await dayNames(root);
  for (const day of days.slice(-SWEPT_DAYS)) {
    await eachFile(join(root, day), async (file, name) => {
      if (!name.startsWith(TEMPORARY_PREFIX)) return;
      const found = await lstat(file).catch(ignoreMissing);
      if (!found || nowMs - found.mtimeMs < STALE_MS) return;
      await unlink(file).catch(ignoreMissing);
      removed += 1;
    });
  }
  return removed;
}

async function dayNames(root: string): Promise<string[]> {
  const days: string[] = [];
  for await (const entry of entriesOf(root))
    if (entry.isDirectory() && isDay(entry.name)) days.push(entry.name);
  return days.sort();
}

/** Every file two levels below the day: `<project>/<name>`. */
async function eachFile(dayPath: string, use: (file: string, name: string) => Promise<void>): Promise<void> {
  let pending: Promise<void>[] = [];
  for await (const project of entriesOf(dayPath)) {
    if (!project.isDirectory()) continue;
    const projectPath = join(dayPath, project.name);
    for await (const entry of entriesOf(projectPath)) {
      if (!entry.isFile()) continue;
      pending.push(use(join(projectPath, entry.name), entry.name));
      if (pending.length < FILES_AT_ONCE) continue;
      await Promise.all(pending);
      pending = [];
    }
  }
  await Promise.all(pending);
}

/** Entries as they are read; none when the folder is not there. */
async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(folder);
  } catch (error) {
    ignoreMissing(error);
  }
}

function ignoreMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
}
