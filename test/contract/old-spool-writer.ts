import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Database, open, type RootDatabase } from 'lmdb';
import { unavailable } from '#lib/errors.ts';
import type { SpoolWriter } from '#storage/ports/spool.ts';

/** Most records in one commit, and about the most bytes: a commit ends when either is reached. */
const GROUP_RECORDS_MAX = 1_000;
const GROUP_BYTES_MAX = 4 * 1024 * 1024;
/** How long the writer may go by an old figure of what digest has acknowledged. */
const ACKNOWLEDGED_AGE_MS_MAX = 50;
/**
 * Commits follow each other at this distance at least. Under load more records share one; a record that comes alone
 * does not wait.
 */
const COMMIT_INTERVAL_MS = 2;
/** So many records do not wait for more. */
const FULL_GROUP_RECORDS = 16;
/**
 * Pages of the file that a process has touched stay mapped into it, and count as its memory. After this many bytes the
 * file is closed and opened again, which costs about a millisecond.
 */
const MAPPED_BYTES_MAX = 96 * 1024 * 1024;

/**
 * The writer of release 0.1, to test that what it left waiting is read.
 *
 * Records are committed in groups: all that arrive while one commit is under way share the next, with one sync to disk
 * and one value in the tree. A group's key is the position of its last record.
 */
export function openOldSpoolWriter(folder: string, bytesMax: number): SpoolWriter {
  let file = openSpool(folder);
  let isOpen = true;
  let mappedBytes = 0;
  let appendedBytes = readCounter(file.meta, 'appendedBytes');
  let acknowledgedBytes = readCounter(file.meta, 'acknowledgedBytes');
  let acknowledgedReadAt = 0;
  let waitingBytes = 0;
  let committing = false;
  let isClosing = false;
  let lastCommitAt = 0;
  let waiting: Waiting[] = [];

  const sizeBytes = (): number => {
    const now = performance.now();
    if (isOpen && now - acknowledgedReadAt > ACKNOWLEDGED_AGE_MS_MAX) {
      acknowledgedBytes = readCounter(file.meta, 'acknowledgedBytes');
      acknowledgedReadAt = now;
    }
    return Math.max(0, appendedBytes - acknowledgedBytes) + waitingBytes;
  };

  async function commitWaiting(): Promise<void> {
    committing = true;
    while (waiting.length > 0) {
      const restMs = COMMIT_INTERVAL_MS - (performance.now() - lastCommitAt);
      if (restMs > 0 && waiting.length < FULL_GROUP_RECORDS) await delay(restMs);
      lastCommitAt = performance.now();
      const group = takeGroup(waiting);
      waiting = waiting.slice(group.length);
      const bytes = group.reduce((sum, entry) => sum + entry.bytes, 0);
      try {
        // The head is read inside the transaction: the command line may append beside the edge. The promise resolves
        // after the sync to disk (overlappingSync is off).
        const { root, groups, meta } = file;
        const first = await root.transaction(() => {
          const head = readCounter(meta, 'head');
          const last = head + group.length;
          appendedBytes = readCounter(meta, 'appendedBytes') + bytes;
          void groups.put(last, packGroup(group));
          void meta.put('head', last);
          void meta.put('appendedBytes', appendedBytes);
          return head + 1;
        });
        waitingBytes -= bytes;
        group.forEach((entry, index) => {
          entry.resolve(first + index);
        });
        mappedBytes += bytes;
      } catch (error) {
        waitingBytes -= bytes;
        const failure = unavailable("The spool could not be written: check the data directory's disk", error);
        for (const entry of group) entry.reject(failure);
      }
      // Should this fail, the process ends and is started anew: nobody waits for an answer that never comes.
      if (mappedBytes > MAPPED_BYTES_MAX && !isClosing) await reopen();
    }
    committing = false;
  }

  async function reopen(): Promise<void> {
    isOpen = false;
    await file.root.close();
    file = openSpool(folder);
    isOpen = true;
    mappedBytes = 0;
  }

  return {
    append(pieces) {
      let bytes = 0;
      for (const piece of pieces) bytes += piece.length;
      if (sizeBytes() + bytes > bytesMax) {
        return Promise.reject(
          unavailable('The spool is full: events arrive faster than they are stored, try again later'),
        );
      }
      waitingBytes += bytes;
      return new Promise<number>((resolve, reject) => {
        waiting.push({ pieces, bytes, resolve, reject });
        // A turn of the event loop later, so that requests read in the same turn share the commit.
        if (!committing) {
          committing = true;
          setImmediate(() => void commitWaiting());
        }
      });
    },
    sizeBytes,
    bytesMax,
    trouble: () => null,
    async close() {
      isClosing = true;
      while (committing) await delay(COMMIT_INTERVAL_MS);
      isOpen = false;
      await file.root.close();
    },
  };
}

type Waiting = {
  pieces: readonly Uint8Array[];
  bytes: number;
  resolve: (position: number) => void;
  reject: (error: Error) => void;
};

function openSpool(folder: string): {
  root: RootDatabase;
  groups: Database<Uint8Array, number>;
  meta: Database<number | string, string>;
  spoolId: string;
} {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const root = open({
    path: join(folder, 'spool.mdb'),
    // With overlapping syncs a write's promise resolves before the disk has it; an answer of 200 must not.
    overlappingSync: false,
    maxDbs: 4,
    mapSize: MAP_BYTES_MAX,
    pageSize: 4096,
  });
  const groups = root.openDB<Uint8Array, number>({ name: 'groups', encoding: 'binary' });
  const meta = root.openDB<number | string, string>({ name: 'meta', encoding: 'msgpack' });
  const spoolId = meta.transactionSync(() => {
    const known = meta.get('spoolId');
    if (typeof known === 'string') return known;
    const fresh = randomUUID();
    meta.putSync('spoolId', fresh);
    return fresh;
  });
  return { root, groups, meta, spoolId };
}

/** Address space only; the file grows as it is used. */
const MAP_BYTES_MAX = 64 * 1024 * 1024 * 1024;

const readCounter = (meta: Database<number | string, string>, name: string): number => {
  const value = meta.get(name);
  return typeof value === 'number' ? value : 0;
};

function takeGroup(waiting: readonly Waiting[]): Waiting[] {
  const group: Waiting[] = [];
  let bytes = 0;
  for (const entry of waiting) {
    if (group.length > 0 && (group.length >= GROUP_RECORDS_MAX || bytes + entry.bytes > GROUP_BYTES_MAX))
      break;
    group.push(entry);
    bytes += entry.bytes;
  }
  return group;
}

/** Layout: count, then each length, then the records; little-endian 32-bit numbers. */
function packGroup(group: readonly Waiting[]): Buffer {
  const head = 4 + 4 * group.length;
  const packed = Buffer.allocUnsafe(group.reduce((sum, { bytes }) => sum + bytes, head));
  packed.writeUInt32LE(group.length, 0);
  let offset = head;
  group.forEach(({ pieces, bytes }, index) => {
    packed.writeUInt32LE(bytes, 4 + 4 * index);
    for (const piece of pieces) {
      packed.set(piece, offset);
      offset += piece.length;
    }
  });
  return packed;
}
