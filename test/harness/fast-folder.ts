import { mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux's file system in memory. */
const SHARED_MEMORY = '/dev/shm';
/** What the databases of a run may grow to; containers often have only 64 MB of it. */
const FREE_BYTES_MIN = 4 * 1024 ** 3;

/**
 * A new folder for data that need not outlive the run: in memory where there is room for it, as making and removing a
 * database's many files is most of what a short test costs on a disk. The caller removes it.
 */
export const makeFastFolder = (prefix: string): string => mkdtempSync(join(fastestParent(), prefix));

function fastestParent(): string {
  try {
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    return bavail * bsize >= FREE_BYTES_MIN ? SHARED_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
