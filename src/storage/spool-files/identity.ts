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
import type { SpoolReader } from '#storage/ports/spool.ts';
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

/**
 * A spool that continues an older one under the same name: gives what the older one holds first. `onDrained` is called
 * once, when nothing waits there any more and it has been closed. Nobody may write to the older one.
 */
export function continueSpool(older: SpoolReader, newer: SpoolReader, onDrained: () => void): SpoolReader {
  if (older.spoolId !== newer.spoolId) {
    throw new Error(`The spool ${newer.spoolId} does not continue ${older.spoolId}`);
  }
  let open: SpoolReader | null = older;
  async function closeIfDrained(): Promise<void> {
    if (!open || open.depth() > 0) return;
    const drained = open;
    open = null;
    await drained.close();
    onDrained();
  }
  return {
    spoolId: newer.spoolId,
    read(after, limits) {
      const records = open?.read(after, limits) ?? [];
      return records.length > 0 ? records : newer.read(after, limits);
    },
    async acknowledge(upTo) {
      await open?.acknowledge(upTo);
      await closeIfDrained();
      await newer.acknowledge(upTo);
    },
    depth: () => (open?.depth() ?? 0) + newer.depth(),
    async close() {
      await Promise.all([open?.close(), newer.close()]);
    },
  };
}
