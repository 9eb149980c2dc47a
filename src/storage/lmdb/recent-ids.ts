import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import type { RecentIds } from '#storage/ports/spool.ts';

const REMEMBER_MS = 24 * 60 * 60 * 1000;
/** Old ids forgotten in one call: keeps up with any rate, and bounds the work of one batch. */
const FORGET_BATCHES_MAX = 4;
const ID_BYTES = 24;

/**
 * Two tables in one environment: id → position of the record that brought it, and the order in which ids came, one
 * entry for each batch, by which they are forgotten.
 */
export function openRecentIds(folder: string, idsMax = 10_000_000): RecentIds {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const root = open({
    path: join(folder, 'recent-ids.mdb'),
    overlappingSync: false,
    maxDbs: 4,
    mapSize: 16 * 1024 * 1024 * 1024,
  });
  const positions = root.openDB<Uint8Array, Uint8Array>({
    name: 'positions',
    encoding: 'binary',
    keyEncoding: 'binary',
  });
  const order = root.openDB<Uint8Array, [number, number]>({ name: 'order', encoding: 'binary' });
  let known = positions.getCount();
  let sequence = 0;

  return {
    find(projectId, eventId) {
      const value = positions.get(idKey(projectId, eventId));
      return value ? Buffer.from(value).readDoubleLE(0) : null;
    },
    async remember(entries, nowMs) {
      const fresh: Uint8Array[] = [];
      const seen = new Set<string>();
      const writes: Promise<boolean>[] = [];
      for (const { projectId, eventId, position } of entries) {
        const key = idKey(projectId, eventId);
        const name = key.toString('latin1');
        if (seen.has(name) || positions.doesExist(key)) continue;
        seen.add(name);
        const value = Buffer.allocUnsafe(8);
        value.writeDoubleLE(position, 0);
        fresh.push(key);
        writes.push(positions.put(key, value));
      }
      if (fresh.length > 0) {
        sequence += 1;
        writes.push(order.put([nowMs, sequence], Buffer.concat(fresh)));
        known += fresh.length;
      }
      let batches = 0;
      for (const { key, value } of order.getRange({ limit: FORGET_BATCHES_MAX + 1 })) {
        if (batches === FORGET_BATCHES_MAX || (key[0] > nowMs - REMEMBER_MS && known <= idsMax)) break;
        batches += 1;
        for (let offset = 0; offset < value.length; offset += ID_BYTES) {
          writes.push(positions.remove(Buffer.from(value.subarray(offset, offset + ID_BYTES))));
        }
        writes.push(order.remove(key));
        known -= value.length / ID_BYTES;
      }
      await Promise.all(writes);
    },
    close: () => root.close(),
  };
}

function idKey(projectId: number, eventId: string): Buffer {
  const key = Buffer.allocUnsafe(ID_BYTES);
  key.writeBigUInt64BE(BigInt(projectId), 0);
  key.write(eventId, 8, 16, 'hex');
  return key;
}
