import { HOUR_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import type { ArtifactFileReader, Checksum } from '#storage/ports/artifact-files.ts';
import { piecesOf } from './open-stored.ts';
import { readWritten } from './store-bytes.ts';
import { withUploadHeadroom } from './upload-headroom.ts';
import { CHUNK_BYTES, CHUNK_HOURS, UPLOAD_BYTES_MAX } from './upload-limits.ts';

/** The SHA-1 of the whole, and of its parts in their order. */
export type UploadedParts = { checksum: Checksum; chunks: readonly Checksum[] };

/** Those of the parts that have to be sent, in their order, each once. */
export async function findMissingChunks(
  { stores, organization, now }: Pick<Context, 'stores' | 'organization' | 'now'>,
  chunks: readonly Checksum[],
): Promise<readonly Checksum[]> {
  const wanted = [...new Set(chunks)];
  const known = await stores.artifacts.findChunks(organization.id, wanted, now() - CHUNK_HOURS * HOUR_MS);
  return wanted.filter((chunk) => !known.has(chunk));
}

/** `gone`: parts whose bytes are not there any more, without which the file is not either. */
export type Assembled<Checked> =
  | { state: 'gone'; chunks: readonly Checksum[] }
  | { state: 'whole'; checked: Checked };

/** Joins the chunks and keeps the file once `check` passes. Throws Invalid, Conflict when full, and as `check`. */
export async function assembleFile<Checked>(
  ctx: Pick<Context, 'stores' | 'organization' | 'now'>,
  { checksum, chunks }: UploadedParts,
  check: (reader: ArtifactFileReader) => Promise<Checked>,
): Promise<Assembled<Checked>> {
  // The row of the part keeps the bytes. Others are written again, which keeps them from those who look for old ones.
  if (chunks.length === 1 && chunks[0] === checksum) return await checkPart(ctx, checksum, check);
  const { assembled } = await withUploadHeadroom(ctx, chunks.length * CHUNK_BYTES, () =>
    copyParts(ctx, { checksum, chunks }, check),
  );
  return assembled;
}

async function checkPart<Checked>(
  { stores, organization }: Pick<Context, 'stores' | 'organization'>,
  checksum: Checksum,
  check: (reader: ArtifactFileReader) => Promise<Checked>,
): Promise<Assembled<Checked>> {
  const reader = await stores.artifactFiles.open(organization.id, checksum);
  if (!reader) return { state: 'gone', chunks: [checksum] };
  try {
    return { state: 'whole', checked: await check(reader) };
  } finally {
    await reader.close();
  }
}

/** `bytes`: newly stored. */
async function copyParts<Checked>(
  { stores, organization }: Pick<Context, 'stores' | 'organization'>,
  { checksum, chunks }: UploadedParts,
  check: (reader: ArtifactFileReader) => Promise<Checked>,
): Promise<{ assembled: Assembled<Checked>; bytes: number }> {
  const { artifactFiles } = stores;
  const writer = await artifactFiles.create(organization.id, {
    expected: checksum,
    bytesMax: UPLOAD_BYTES_MAX,
  });
  try {
    for (const chunk of chunks) {
      const reader = await artifactFiles.open(organization.id, chunk);
      if (!reader) {
        await writer.abort();
        return { assembled: { state: 'gone', chunks: [chunk] }, bytes: 0 };
      }
      try {
        for await (const piece of piecesOf(reader)) writer.write(piece);
      } finally {
        await reader.close();
      }
    }
    const checked = await readWritten(writer, check);
    const { bytes } = await writer.finish();
    return { assembled: { state: 'whole', checked }, bytes };
  } catch (error) {
    await writer.abort();
    throw error;
  }
}
