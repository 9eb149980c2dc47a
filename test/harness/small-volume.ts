import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const NO_VOLUME = 'a small volume can only be mounted as root on Linux';

const CHUNK = Buffer.alloc(256 * 1024, 1);

/** A volume of its own that can be filled without harm to the machine. */
export type SmallVolume = {
  folder: string;
  /** Writes until there is no room left. */
  fill(): void;
  /** Takes back what `fill` wrote. */
  empty(): void;
  unmount(): void;
};

/** Mounts an empty volume of some MiB; null when this user may not mount. */
export function mountSmallVolume(mebibytes: number): SmallVolume | null {
  const parent = mkdtempSync(path.join(tmpdir(), 'errata-volume-'));
  const folder = path.join(parent, 'volume');
  mkdirSync(folder);
  try {
    execFileSync('chmod', ['755', parent]);
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=755`, 'tmpfs', folder], {
      stdio: 'pipe',
    });
  } catch {
    rmSync(parent, { recursive: true, force: true });
    return null;
  }
  const ballast = path.join(folder, 'ballast');
  return {
    folder,
    fill: () => fillUp(ballast),
    empty: () => rmSync(ballast, { force: true }),
    unmount() {
      execFileSync('umount', ['--lazy', folder]);
      rmSync(parent, { recursive: true, force: true });
    },
  };
}

function fillUp(file: string): void {
  const handle = openSync(file, 'a');
  try {
    while (statfsSync(path.dirname(file)).bavail > 0) writeSync(handle, CHUNK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(handle);
  }
}
