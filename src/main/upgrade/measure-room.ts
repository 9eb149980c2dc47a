import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createDiskMeter } from '#storage/disk/disk-meter.ts';

/** Bytes that are free for a folder, which need not be there yet. */
export async function freeBytesAt(folder: string): Promise<number> {
  let place = folder;
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place);
  const { bavail, bsize } = await statfs(place);
  return bavail * bsize;
}

/** Of what lies in the data directory beside the stores: attachments, uploads and what waits. 0 where there is none. */
export async function measureFiles(dataDir: string): Promise<number> {
  if (!existsSync(dataDir)) return 0;
  const { parts } = await createDiskMeter(dataDir, null).measure();
  return parts.blobs + parts.artifacts + parts.spool;
}
