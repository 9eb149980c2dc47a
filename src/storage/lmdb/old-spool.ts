import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open } from 'lmdb';
import type { SpoolReader, SpoolRecord } from '#storage/ports/spool.ts';

/**
 * Bytes read before the file is reopened, which takes about a millisecond: pages that were read count as memory of
 * the process.
 */
const MAPPED_BYTES_MAX = 96 * 1024 * 1024;
/** Size of the memory map: address space only. */
const MAP_BYTES_MAX = 64 * 1024 * 1024 * 1024;

/** Name and last position of the spool of release 0.1. */
export async function describeOldSpool(folder: string): Promise<{ spoolId: string; startsAfter: number }> {
  const { root, meta, spoolId } = openFile(folder);
  const startsAfter = readCounter(meta, 'head');
  await root.close();
  return { spoolId, startsAfter };
}

export function removeOldSpool(folder: string): void {
  for (const name of ['spool.mdb', 'spool.mdb-lock']) rmSync(join(folder, name), { force: true });
}

/**
 * Reads what release 0.1 left waiting: one value for each commit, its key the position of the last record in it. Nobody
 * writes to it any more.
 */
export function openOldSpoolReader(folder: string): SpoolReader {
  let file = openFile(folder);
  let mappedBytes = 0;
  let acknowledged = readCounter(file.meta, 'acknowledged');
  return {
    spoolId: file.spoolId,
    read(after, limits) {
      const records: SpoolRecord[] = [];
      let bytes = 0;
      for (const { key, value } of file.groups.getRange({ start: after + 1 })) {
        mappedBytes += value.length;
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
      const { groups, meta } = file;
      const done = [...groups.getKeys({ start: acknowledged + 1, end: upTo + 1 })];
      acknowledged = upTo;
      await Promise.all([...done.map((key) => groups.remove(key)), meta.put('acknowledged', upTo)]);
      if (mappedBytes > MAPPED_BYTES_MAX) {
        await file.root.close();
        file = openFile(folder);
        mappedBytes = 0;
      }
    },
    depth: () => Math.max(0, readCounter(file.meta, 'head') - acknowledged),
    close: () => file.root.close(),
  };
}

function openFile(folder: string) {
  const root = open({
    path: join(folder, 'spool.mdb'),
    overlappingSync: false,
    maxDbs: 4,
    mapSize: MAP_BYTES_MAX,
  });
  const groups = root.openDB<Uint8Array, number>({ name: 'groups', encoding: 'binary' });
  const meta: Meta = root.openDB({ name: 'meta', encoding: 'msgpack' });
  const spoolId = meta.get('spoolId');
  if (typeof spoolId !== 'string')
    throw new Error(`${join(folder, 'spool.mdb')} is not a spool: it has no name`);
  return { root, groups, meta, spoolId };
}

type Meta = Database<number | string, string>;

const readCounter = (meta: Meta, name: string): number => {
  const value = meta.get(name);
  return typeof value === 'number' ? value : 0;
};

/** Layout: count, then each length, then the records; little-endian 32-bit numbers. */
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
