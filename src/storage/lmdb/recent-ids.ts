import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import { unavailable } from '#lib/errors.ts';
import { DAY_MS } from '#lib/time.ts';
import type { RecentIds } from '#storage/ports/spool.ts';

const REMEMBER_MS = DAY_MS;
/** Batches of old IDs removed in one call: enough for any rate. */
const FORGET_BATCHES_MAX = 4;
/** Of a key: project, event. */
export const ID_BYTES = 24;
export const IDS_FILE = 'recent-ids.mdb';
/** Event → position of the record that brought it. */
export const POSITIONS_TABLE = { name: 'positions', encoding: 'binary', keyEncoding: 'binary' } as const;
/** Time and number of a batch → the keys that it brought. */
export const ORDER_TABLE = { name: 'order', encoding: 'binary' } as const;

/**
 * Two tables in one environment: id → position of the record that brought it, and the order in which ids came, one
 * entry for each batch, by which they are forgotten.
 */
export function openRecentIds(folder: string, idsMax = 10_000_000): RecentIds {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const root = open({
    path: join(folder, IDS_FILE),
    overlappingSync: false,
    maxDbs: 4,
    mapSize: 16 * 1024 * 1024 * 1024,
  });
  const positions = root.openDB<Uint8Array, Uint8Array>(POSITIONS_TABLE);
  const order = root.openDB<Uint8Array, [number, number]>(ORDER_TABLE);
  let known = positions.getCount();
  let sequence = 0;

  return {
    find(projectId, eventId) {
      const value = positions.get(idKey(projectId, eventId));
      return value ? Buffer.from(value).readDoubleLE(0) : null;
    },
    async remember(entries, nowMs) {
      try {
        // In this thread: a commit of the library's own thread that fails leaves rejections nobody can catch.
        known = root.transactionSync(() => write(entries, nowMs));
      } catch (error) {
        throw unavailable(
          `The event IDs could not be written (${String(error)}): check the data directory's disk`,
          error,
        );
      }
    },
    close: () => root.close(),
  };

  /** Answers how many ids are known then. */
  function write(entries: Parameters<RecentIds['remember']>[0], nowMs: number): number {
    let count = known;
    const fresh: Uint8Array[] = [];
    for (const { projectId, eventId, position } of entries) {
      const key = idKey(projectId, eventId);
      if (positions.doesExist(key)) continue;
      const value = Buffer.allocUnsafe(8);
      value.writeDoubleLE(position, 0);
      fresh.push(key);
      positions.putSync(key, value);
    }
    if (fresh.length > 0) {
      sequence += 1;
      order.putSync([nowMs, sequence], Buffer.concat(fresh));
      count += fresh.length;
    }
    for (const { key, value } of [...order.getRange({ limit: FORGET_BATCHES_MAX })]) {
      if (key[0] > nowMs - REMEMBER_MS && count <= idsMax) break;
      for (let offset = 0; offset < value.length; offset += ID_BYTES) {
        positions.removeSync(Buffer.from(value.subarray(offset, offset + ID_BYTES)));
      }
      order.removeSync(key);
      count -= value.length / ID_BYTES;
    }
    return count;
  }
}

function idKey(projectId: number, eventId: string): Buffer {
  const key = Buffer.allocUnsafe(ID_BYTES);
  key.writeBigUInt64BE(BigInt(projectId), 0);
  key.write(eventId, 8, 16, 'hex');
  return key;
}
