import { openSpoolReader } from './open-spool-reader.ts';
import { AcknowledgedFile, HeadFile } from './spool-figures.ts';

export type OldestWaiting = { kind: 'none' | 'unknown' } | { kind: 'waiting'; bytes: Uint8Array };

/**
 * The oldest record that digest has not acknowledged, for processes beside it. 'unknown' while the writer or digest has told
 * nothing, and when what waits cannot be read.
 */
export async function readOldestWaiting(folder: string): Promise<OldestWaiting> {
  const headFile = new HeadFile(folder);
  const acknowledgedFile = new AcknowledgedFile(folder);
  const head = headFile.read();
  const acknowledged = acknowledgedFile.read();
  headFile.close();
  acknowledgedFile.close();
  if (!head || !acknowledged) return { kind: 'unknown' };
  if (head.position <= acknowledged.position) return { kind: 'none' };
  const reader = openSpoolReader(folder, { isObserver: true, isGlance: true });
  try {
    const [record] = reader.read(acknowledged.position, { records: 1, bytes: 1 });
    return record ? { kind: 'waiting', bytes: record.bytes } : { kind: 'unknown' };
  } finally {
    await reader.close();
  }
}
