import { createHash } from 'node:crypto';
import type {
  ArtifactFilePlace,
  ArtifactFileReader,
  ArtifactFileStore,
} from '#storage/ports/artifact-files.ts';

const PAGE_MAX = 500;
/** Read and written at once. */
const PIECE_BYTES = 1024 * 1024;

export type ArtifactCopyProgress = { seen: number; copied: number; copiedBytes: number; pruned: number };

type CopySource = Pick<ArtifactFileStore, 'listOlder' | 'open' | 'has'>;
type CopyTarget = CopySource & Pick<ArtifactFileStore, 'create' | 'delete'>;

/**
 * Copies every upload that the target does not have, and reads back what it wrote. `isPruning` also deletes from the target
 * what the source has no more. Throws what the stores throw, and Error when the target gives other bytes than were written.
 */
export async function copyArtifacts(
  source: CopySource,
  target: CopyTarget,
  { isPruning, onProgress }: { isPruning: boolean; onProgress: (progress: ArtifactCopyProgress) => void },
): Promise<ArtifactCopyProgress> {
  const progress: ArtifactCopyProgress = { seen: 0, copied: 0, copiedBytes: 0, pruned: 0 };
  for await (const place of everyPlace(source)) {
    progress.seen += 1;
    const isThere = await target.has(place.organizationId, place.checksum);
    const bytes = isThere ? null : await copyOne(source, target, place);
    if (bytes !== null) {
      progress.copied += 1;
      progress.copiedBytes += bytes;
    }
    onProgress(progress);
  }
  if (isPruning) {
    for await (const { organizationId, checksum } of everyPlace(target)) {
      if (await source.has(organizationId, checksum)) continue;
      if (await target.delete(organizationId, checksum, Number.POSITIVE_INFINITY)) progress.pruned += 1;
      onProgress(progress);
    }
  }
  return progress;
}

async function* everyPlace(store: Pick<CopySource, 'listOlder'>): AsyncIterable<ArtifactFilePlace> {
  let after: ArtifactFilePlace | null = null;
  for (;;) {
    const page: readonly ArtifactFilePlace[] = await store.listOlder(
      Number.POSITIVE_INFINITY,
      after,
      PAGE_MAX,
    );
    yield* page;
    after = page.at(-1) ?? null;
    if (page.length < PAGE_MAX) return;
  }
}

/** null when it was deleted meanwhile. */
async function copyOne(
  source: CopySource,
  target: CopyTarget,
  { organizationId, checksum }: ArtifactFilePlace,
): Promise<number | null> {
  const reader = await source.open(organizationId, checksum);
  if (reader === null) return null;
  const writer = await target.create(organizationId, { expected: checksum, bytesMax: reader.bytes });
  try {
    for await (const piece of piecesOf(reader)) writer.write(piece);
    await writer.finish();
  } catch (error) {
    await writer.abort();
    throw error;
  } finally {
    await reader.close();
  }
  const copy = await target.open(organizationId, checksum);
  const hash = createHash('sha1');
  if (copy) for await (const piece of piecesOf(copy)) hash.update(piece);
  await copy?.close();
  if (hash.digest('hex') === checksum) return reader.bytes;
  await target.delete(organizationId, checksum, Number.POSITIVE_INFINITY);
  throw new Error(`The copy of ${checksum} differs from what was written, and was deleted: try again`);
}

async function* piecesOf({ bytes, read }: Pick<ArtifactFileReader, 'bytes' | 'read'>) {
  for (let from = 0; from < bytes; from += PIECE_BYTES)
    yield await read(from, Math.min(bytes, from + PIECE_BYTES));
}
