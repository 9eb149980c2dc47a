import type { Dirent, Stats } from 'node:fs';
import { lstat, opendir, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { MINUTE_MS } from '#lib/time.ts';
import { type BlobKey, isBlobDay, isBlobProject } from '#protocol/blob-key.ts';
import type { BlobUsage } from '#storage/ports/blobs.ts';
import { dayFolder, nameOfFile, projectFolder } from './blob-path.ts';
import { TEMPORARY_PREFIX } from './durable-file.ts';

/** Files that are asked for their size, or removed, at once; no more names than these are held. */
const FILES_AT_ONCE = 64;
/** Keys that are held, and asked for a name, at once. */
const UNNAMED_PAGE_BLOBS = 5_000;
/** Keys that are listed at once. */
const KEYS_PAGE_BLOBS = 1_000;
const STAT_BLOCK_BYTES = 512;
/** No request takes this long: a file that has not grown since belongs to nobody any more. */
const STALE_MS = 15 * MINUTE_MS;
/** Attempts to delete a day that is still being written to. */
const DELETE_ROUNDS_MAX = 3;
/** Days that are looked at for files which a crash left behind; older ones go with their day. */
const SWEPT_DAYS = 3;

/** What a file takes of the disk, also when that is a whole block for one byte. */
export const occupiedBytes = ({ blocks }: Pick<Stats, 'blocks'>): number => blocks * STAT_BLOCK_BYTES;

/** By day and project, oldest day first; files that are still being written count nothing. */
export async function listBlobUsage(root: string): Promise<readonly BlobUsage[]> {
  const usage: BlobUsage[] = [];
  for (const day of await dayNames(root)) {
    const projects = (await arrayOf(projectsOf(join(root, day)))).map(Number);
    for (const projectId of projects.sort((a, b) => a - b)) {
      const sum = { day, projectId, bytes: 0, blobs: 0 };
      await eachFile(projectFolder(root, day, projectId), async (file, name) => {
        if (name.startsWith(TEMPORARY_PREFIX)) return;
        const found = await lstat(file).catch(ignoreMissing);
        if (!found) return;
        sum.bytes += occupiedBytes(found);
        sum.blobs += 1;
      });
      if (sum.blobs > 0) usage.push(sum);
    }
  }
  return usage;
}

export function sumOfDays(
  usage: readonly BlobUsage[],
): readonly { day: string; bytes: number; blobs: number }[] {
  const days = new Map<string, { day: string; bytes: number; blobs: number }>();
  for (const { day, bytes, blobs } of usage) {
    const sum = days.get(day) ?? { day, bytes: 0, blobs: 0 };
    days.set(day, { day, bytes: sum.bytes + bytes, blobs: sum.blobs + blobs });
  }
  return [...days.values()];
}

/** Deletes everything of a day. A day that is not there frees nothing. */
export async function deleteBlobDay(root: string, day: string): Promise<{ bytes: number; blobs: number }> {
  const folder = dayFolder(root, day);
  const freed = { bytes: 0, blobs: 0 };
  // A folder that changes while it is listed may keep a name to itself; the next round finds it.
  for (let round = 1; round <= DELETE_ROUNDS_MAX; round++) {
    for (const project of await arrayOf(projectsOf(folder))) {
      const place = projectFolder(root, day, Number(project));
      await eachFile(place, async (file, name) => {
        const found = await lstat(file).catch(ignoreMissing);
        await unlink(file).catch(ignoreMissing);
        if (!found || name.startsWith(TEMPORARY_PREFIX)) return;
        freed.bytes += occupiedBytes(found);
        freed.blobs += 1;
      });
      await rmdir(place).catch(() => {});
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

export async function deleteUnnamedBlobs(
  root: string,
  { day, projectId }: { day: string; projectId: number },
  findNamed: (keys: readonly BlobKey[]) => Promise<ReadonlySet<BlobKey>>,
  beforeMs: number,
): Promise<{ bytes: number; blobs: number }> {
  const freed = { bytes: 0, blobs: 0 };
  let page: OldBlob[] = [];
  const deletePage = async () => {
    const named = await findNamed(page.map(({ key }) => key));
    const unnamed = page.filter(({ key }) => !named.has(key));
    page = [];
    for (let start = 0; start < unnamed.length; start += FILES_AT_ONCE) {
      const some = unnamed.slice(start, start + FILES_AT_ONCE);
      await Promise.all(some.map(({ file }) => unlink(file).catch(ignoreMissing)));
    }
    freed.bytes += unnamed.reduce((sum, { bytes }) => sum + bytes, 0);
    freed.blobs += unnamed.length;
  };
  const folder = projectFolder(root, day, projectId);
  for await (const entry of entriesOf(folder)) {
    const { name } = entry;
    if (!entry.isFile() || name.startsWith(TEMPORARY_PREFIX)) continue;
    const file = join(folder, name);
    const found = await lstat(file).catch(ignoreMissing);
    if (!found || found.mtimeMs >= beforeMs) continue;
    page.push({ file, key: `${day}/${projectId}/${nameOfFile(name)}`, bytes: occupiedBytes(found) });
    if (page.length >= UNNAMED_PAGE_BLOBS) await deletePage();
  }
  if (page.length > 0) await deletePage();
  return freed;
}

type OldBlob = { file: string; key: BlobKey; bytes: number };

/** Removes what was being written when a process died. Answers how many files. */
export async function removeStaleWrites(root: string, nowMs: number): Promise<number> {
  let removed = 0;
  const days = await dayNames(root);
  for (const day of days.slice(-SWEPT_DAYS)) {
    for await (const project of projectsOf(join(root, day))) {
      await eachFile(join(root, day, project), async (file, name) => {
        if (!name.startsWith(TEMPORARY_PREFIX)) return;
        const found = await lstat(file).catch(ignoreMissing);
        if (!found || nowMs - found.mtimeMs < STALE_MS) return;
        await unlink(file).catch(ignoreMissing);
        removed += 1;
      });
    }
  }
  return removed;
}

/** Days of which there are blobs, oldest first. */
export async function dayNames(root: string): Promise<string[]> {
  const days: string[] = [];
  for await (const entry of entriesOf(root))
    if (entry.isDirectory() && isBlobDay(entry.name)) days.push(entry.name);
  return days.sort();
}

/** Keys of a day, in pages; what is being written has none yet. */
export async function* blobKeys(root: string, day: string): AsyncGenerator<readonly BlobKey[]> {
  let page: BlobKey[] = [];
  for await (const project of projectsOf(dayFolder(root, day))) {
    for await (const entry of entriesOf(projectFolder(root, day, Number(project)))) {
      if (!entry.isFile() || entry.name.startsWith(TEMPORARY_PREFIX)) continue;
      page.push(`${day}/${project}/${nameOfFile(entry.name)}`);
      if (page.length < KEYS_PAGE_BLOBS) continue;
      yield page;
      page = [];
    }
  }
  if (page.length > 0) yield page;
}

async function* projectsOf(dayPath: string): AsyncGenerator<string> {
  for await (const entry of entriesOf(dayPath))
    if (entry.isDirectory() && isBlobProject(entry.name)) yield entry.name;
}

async function arrayOf<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}

async function eachFile(
  projectPath: string,
  use: (file: string, name: string) => Promise<void>,
): Promise<void> {
  let pending: Promise<void>[] = [];
  for await (const entry of entriesOf(projectPath)) {
    if (!entry.isFile()) continue;
    pending.push(use(join(projectPath, entry.name), entry.name));
    if (pending.length < FILES_AT_ONCE) continue;
    await Promise.all(pending);
    pending = [];
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
