import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from './segment.ts';

/** What never changes of a spool. */
export type SpoolIdentity = {
  spoolId: string;
  /** Records up to this position were in the spool that this one continues; 0 for a new one. */
  startsAfter: number;
};

/**
 * Reads the identity of the spool in a folder, which is made when it is not there. `origin` is asked when it is made:
 * the spool that this one continues, or null. Of two processes that make it at once, one wins.
 */
export function readOrMakeIdentity(folder: string, origin: () => SpoolIdentity | null): SpoolIdentity {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'identity.json');
  if (!existsSync(path)) {
    const identity = origin() ?? { spoolId: randomUUID(), startsAfter: 0 };
    const temporary = `${path}.${process.pid}.tmp`;
    const fd = openSync(temporary, 'w', 0o600);
    writeSync(fd, JSON.stringify(identity));
    fsyncSync(fd);
    closeSync(fd);
    try {
      linkSync(temporary, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      unlinkSync(temporary);
    }
    syncFolder(folder);
  }
  return JSON.parse(readFileSync(path, 'utf8')) as SpoolIdentity;
}
