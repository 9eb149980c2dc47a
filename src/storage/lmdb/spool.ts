import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Database, open, type RootDatabase } from 'lmdb';
import { unavailable } from '#lib/errors.ts';
import type { SpoolReader, SpoolRecord, SpoolWriter } from '#storage/ports/spool.ts';

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

/**
 * Records are committed in groups: all that arrive while one commit is under way share the next, with one sync to disk
 * and one value in the tree. A group's key is the position of its last record.
 */
export function openSpoolWriter(folder: string, bytesMax: number): SpoolWriter {
  const { root, groups, meta } = openSpool(folder);
  let appendedBytes = readCounter(meta, 'appendedBytes');
  let acknowledgedBytes = readCounter(meta, 'acknowledgedBytes');
  let acknowledgedReadAt = 0;
  let waitingBytes = 0;
  let committing = false;
  let lastCommitAt = 0;
  let waiting: Waiting[] = [];

  const sizeBytes = (): number => {
    const now = performance.now();
    if (now - acknowledgedReadAt > ACKNOWLEDGED_AGE_MS_MAX) {
      acknowledgedBytes = readCounter(meta, 'acknowledgedBytes');
      acknowledgedReadAt = now;
    }
    return Math.max(0, appendedBytes - acknowledgedBytes) + waitingBytes;
  };

  async function commitWaiting(): Promise<void> {
    committing = true;
    while (waiting.length > 0) {
      const restMs = COMMIT_INTERVAL_MS - (performance.now() - lastCommitAt);
      if (restMs > 0) await delay(restMs);
      lastCommitAt = performance.now();
      const group = takeGroup(waiting);
      waiting = waiting.slice(group.length);
      const bytes = group.reduce((sum, entry) => sum + entry.bytes, 0);
      try {
        // The head is read inside the transaction: the command line may append beside the edge. The promise resolves
        // after the sync to disk (overlappingSync is off).
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
      } catch (error) {
        waitingBytes -= bytes;
        const failure = unavailable(
          'The spool could not be written: check the disk of the data directory',
          error,
        );
        for (const entry of group) entry.reject(failure);
      }
    }
    committing = false;
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
    close: () => root.close(),
  };
}

export function openSpoolReader(folder: string): SpoolReader {
  const { root, groups, meta, spoolId } = openSpool(folder);
  let acknowledged = readCounter(meta, 'acknowledged');
  return {
    spoolId,
    read(after, limits) {
      const records: SpoolRecord[] = [];
      let bytes = 0;
      for (const { key, value } of groups.getRange({ start: after + 1 })) {
        for (const record of unpackGroup(value, key)) {
          if (record.position <= after) continue;
          if (
            records.length > 0 &&
            (records.length >= limits.records || bytes + record.bytes.length > limits.bytes)
          ) {
            return records;
          }
          records.push(record);
          bytes += record.bytes.length;
        }
      }
      return records;
    },
    async acknowledge(upTo) {
      if (upTo <= acknowledged) return;
      const done: number[] = [];
      let bytes = 0;
      // A group that is done in part stays until it is done in whole; its bytes count as they are done.
      for (const { key, value } of groups.getRange({ start: acknowledged + 1 })) {
        for (const record of unpackGroup(value, key)) {
          if (record.position > acknowledged && record.position <= upTo) bytes += record.bytes.length;
        }
        if (key > upTo) break;
        done.push(key);
      }
      acknowledged = upTo;
      await Promise.all([
        ...done.map((key) => groups.remove(key)),
        meta.put('acknowledged', upTo),
        meta.put('acknowledgedBytes', readCounter(meta, 'acknowledgedBytes') + bytes),
      ]);
    },
    depth: () => Math.max(0, readCounter(meta, 'head') - acknowledged),
    close: () => root.close(),
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

function unpackGroup(value: Uint8Array, lastPosition: number): SpoolRecord[] {
  const packed = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const count = packed.readUInt32LE(0);
  const records: SpoolRecord[] = [];
  let offset = 4 + 4 * count;
  for (let index = 0; index < count; index++) {
    const length = packed.readUInt32LE(4 + 4 * index);
    records.push({
      position: lastPosition - count + index + 1,
      bytes: packed.subarray(offset, offset + length),
    });
    offset += length;
  }
  return records;
}
