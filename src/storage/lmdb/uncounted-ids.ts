import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import type { UncountedId } from '#storage/ports/backup-sources.ts';
import { ID_BYTES, IDS_FILE, ORDER_TABLE, POSITIONS_TABLE } from './recent-ids.ts';

/** Ids of records behind a position: of a batch whose rows may be stored although nothing counted them yet. */
export async function readUncountedIds(folder: string, after: number): Promise<readonly UncountedId[]> {
  const path = join(folder, IDS_FILE);
  if (!existsSync(path)) return [];
  const root = open({ path, readOnly: true, maxDbs: 4 });
  try {
    const positions = root.openDB<Uint8Array, Uint8Array>(POSITIONS_TABLE);
    const order = root.openDB<Uint8Array, [number, number]>(ORDER_TABLE);
    const found: UncountedId[] = [];
    // Newest first: batches are remembered in the order of their positions.
    for (const { value } of order.getRange({ reverse: true })) {
      const before = found.length;
      for (let offset = 0; offset < value.length; offset += ID_BYTES) {
        const key = Buffer.from(value.subarray(offset, offset + ID_BYTES));
        const place = positions.get(key);
        const position = place ? Buffer.from(place).readDoubleLE(0) : 0;
        if (position <= after) continue;
        found.push({
          projectId: Number(key.readBigUInt64BE(0)),
          eventId: key.toString('hex', 8),
          position,
        });
      }
      if (found.length === before) break;
    }
    return found;
  } finally {
    await root.close();
  }
}
