import { unavailable } from '#lib/errors.ts';
import type { SpoolRecord, SpoolWriter } from '#storage/ports/spool.ts';
import { readOrMakeIdentity } from './identity.ts';
import { hashOf, readInbox } from './inbox.ts';
import { openSpoolReader } from './open-spool-reader.ts';
import { openSpoolWriter } from './open-spool-writer.ts';

const READ = { records: 1_000, bytes: 8 * 1024 * 1024 } as const;
/** Records that are appended at once. */
const APPENDS_MAX = 500;

/**
 * Records after a position up to what is synced when it begins, and then those that were handed in beside the writer. Only
 * while nobody acknowledges.
 */
export async function* readWaiting(
  folder: string,
  after: number,
  onDamage: (detail: string) => void,
): AsyncGenerator<SpoolRecord> {
  const reader = openSpoolReader(folder, { isObserver: true, onDamage });
  // First: what leaves the inbox meanwhile is in the spool then.
  const handedIn = readInbox(folder);
  let position = after;
  try {
    const end = after + reader.depth();
    for (;;) {
      const records = reader.read(position, READ);
      if (records.length === 0) break;
      for (const { bytes } of handedIn.size > 0 ? records : []) handedIn.delete(hashOf(bytes));
      yield* records;
      position = records.at(-1)?.position ?? position;
      // What arrives meanwhile has its turn in the next backup.
      if (position >= end) break;
    }
    for (const bytes of handedIn.values()) yield { position: ++position, bytes };
  } finally {
    await reader.close();
  }
}

export const readSpoolId = (folder: string): string => readOrMakeIdentity(folder, () => null).spoolId;

/** Makes a spool in an empty folder; answers how many records it has. */
export async function writeSpool(
  folder: string,
  identity: { spoolId: string; startsAfter: number },
  records: AsyncIterable<Uint8Array>,
): Promise<number> {
  const found = readOrMakeIdentity(folder, () => identity);
  if (found.spoolId !== identity.spoolId) throw unavailable(`There is another spool in ${folder}`);
  const writer: SpoolWriter = openSpoolWriter(folder, Number.MAX_SAFE_INTEGER);
  let count = 0;
  try {
    let pending: Promise<number>[] = [];
    for await (const record of records) {
      count += 1;
      pending.push(writer.append([record]));
      if (pending.length < APPENDS_MAX) continue;
      await Promise.all(pending);
      pending = [];
    }
    await Promise.all(pending);
  } finally {
    await writer.close();
  }
  return count;
}
