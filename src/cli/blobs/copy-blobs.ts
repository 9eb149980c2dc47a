import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { BlobKey } from '#protocol/blob-key.ts';
import type { BlobStore } from '#storage/ports/blobs.ts';

/** Blobs that are looked at, or copied, at once. */
const BLOBS_AT_ONCE_MAX = 8;

export type CopyProgress = {
  /** Blobs that were looked at so far. */
  seen: number;
  copied: number;
  /** Content of what was copied. */
  copiedBytes: number;
  /** What the target had already. */
  present: number;
  /** What retention deleted while it was to be copied. */
  gone: number;
  /** What the target had and the source has not; deleted. */
  pruned: number;
};

type CopySource = Pick<BlobStore, 'listDayNames' | 'listKeys' | 'read' | 'size'>;
type CopyTarget = CopySource & Pick<BlobStore, 'create' | 'delete'>;

/**
 * Copies every blob that the target does not have, oldest day first, and reads back what it wrote. What is there with the
 * same length counts as copied, so a copy that was interrupted goes on where it was. `isPruning` also deletes from the target
 * what the source has no more. Throws what the stores throw, and Error when the target gives other bytes than were written.
 */
export async function copyBlobs(
  source: CopySource,
  target: CopyTarget,
  { isPruning, onProgress }: { isPruning: boolean; onProgress: (progress: CopyProgress) => void },
): Promise<CopyProgress> {
  const progress: CopyProgress = { seen: 0, copied: 0, copiedBytes: 0, present: 0, gone: 0, pruned: 0 };
  await eachBlob(source, async (key) => {
    await copyMissing(source, target, key, progress);
    progress.seen += 1;
    onProgress(progress);
  });
  if (isPruning) {
    await eachBlob(target, async (key) => {
      if ((await source.size(key)) !== null) return;
      await target.delete(key);
      progress.pruned += 1;
      onProgress(progress);
    });
  }
  return progress;
}

async function eachBlob(
  store: Pick<CopySource, 'listDayNames' | 'listKeys'>,
  use: (key: BlobKey) => Promise<void>,
): Promise<void> {
  for (const day of await store.listDayNames()) {
    for await (const keys of store.listKeys(day)) {
      for (let start = 0; start < keys.length; start += BLOBS_AT_ONCE_MAX) {
        const results = await Promise.allSettled(keys.slice(start, start + BLOBS_AT_ONCE_MAX).map(use));
        // Only when nothing is under way any more.
        for (const result of results) if (result.status === 'rejected') throw result.reason;
      }
    }
  }
}

async function copyMissing(
  source: CopySource,
  target: CopyTarget,
  key: BlobKey,
  progress: CopyProgress,
): Promise<void> {
  const [bytes, known] = await Promise.all([source.size(key), target.size(key)]);
  if (bytes === null) progress.gone += 1;
  else if (known === bytes) progress.present += 1;
  else if (await copyOne(source, target, key)) {
    progress.copied += 1;
    progress.copiedBytes += bytes;
  } else progress.gone += 1;
}

/** False when it was deleted meanwhile. */
async function copyOne(source: CopySource, target: CopyTarget, key: BlobKey): Promise<boolean> {
  const content = await source.read(key);
  if (content === null) return false;
  const writer = target.create(key);
  let written: string;
  try {
    written = await hashOf(content, (chunk) => writer.write(chunk));
    await writer.finish();
  } catch (error) {
    await writer.abort();
    throw error;
  }
  const copy = await target.read(key);
  if (copy === null || (await hashOf(copy)) !== written) {
    await target.delete(key);
    throw new Error(`The copy of ${key} differs from what was written, and was deleted: try again`);
  }
  return true;
}

async function hashOf(content: Readable, use: (chunk: Buffer) => void = () => {}): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content) {
    hash.update(chunk as Buffer);
    use(chunk as Buffer);
  }
  return hash.digest('hex');
}
