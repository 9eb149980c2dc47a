import { constants, type Dirent } from 'node:fs';
import { mkdir, open, opendir, rename, stat, utimes } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { unavailable } from '#lib/errors.ts';
import type { FileDestination, FileSource, StoredFile } from '#storage/ports/backup-sources.ts';
import { TEMPORARY_PREFIX } from '../durable-file.ts';

const READ_BYTES = 1024 * 1024;

/** The finished files below a folder: blobs, uploads. What is still being written has no name yet, and is left out. */
export function openStoredFiles(folder: string): FileSource {
  const root = resolve(folder);
  return {
    async listGroups() {
      const names: string[] = [];
      for await (const entry of entriesOf(root)) if (entry.isDirectory()) names.push(entry.name);
      return names.sort();
    },
    async list(group) {
      const files: StoredFile[] = [];
      for await (const path of pathsBelow(root, group)) {
        const facts = await stat(join(root, path)).catch(ignoreMissing);
        if (facts) files.push({ path, bytes: facts.size, writtenAtMs: Math.floor(facts.mtimeMs) });
      }
      return files.sort((one, other) => (one.path < other.path ? -1 : 1));
    },
    async open(path) {
      const handle = await open(join(root, path), constants.O_RDONLY | constants.O_NOFOLLOW).catch(
        ignoreMissing,
      );
      return handle?.createReadStream({ highWaterMark: READ_BYTES }) ?? null;
    },
  };
}

/** Below an empty folder. Bytes and times are those of the source. */
export function openFileDestination(folder: string): FileDestination {
  const root = resolve(folder);
  return {
    async write({ path, bytes, writtenAtMs }, content) {
      const file = join(root, path);
      if (!file.startsWith(`${root}/`)) throw new Error(`"${path}" is not a path of a stored file`);
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const temporary = join(dirname(file), `${TEMPORARY_PREFIX}restored`);
      const handle = await open(temporary, 'w', 0o600);
      let written = 0;
      try {
        for await (const chunk of content) {
          await handle.writeFile(chunk);
          written += chunk.length;
        }
        await handle.sync();
      } finally {
        await handle.close();
      }
      if (written !== bytes) throw unavailable(`${path} has ${written} bytes in the backup, not ${bytes}`);
      await utimes(temporary, writtenAtMs / 1000, writtenAtMs / 1000);
      await rename(temporary, file);
    },
  };
}

async function* pathsBelow(root: string, below: string): AsyncGenerator<string> {
  for await (const entry of entriesOf(join(root, below))) {
    const path = `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* pathsBelow(root, path);
    else if (entry.isFile() && !entry.name.startsWith(TEMPORARY_PREFIX)) yield path;
  }
}

async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(folder);
  } catch (error) {
    ignoreMissing(error);
  }
}

function ignoreMissing(error: unknown): null {
  if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
  throw error;
}
