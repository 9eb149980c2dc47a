import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireOneOf } from '#product/permissions.ts';
import type { Checksum } from '#storage/ports/artifacts.ts';
import { checkChecksum } from './check-upload.ts';
import { storeBytes } from './store-bytes.ts';
import { CHUNK_BYTES } from './upload-limits.ts';
import { UPLOAD_RIGHTS } from './upload-rights.ts';

export type ChunkEncoding = 'none' | 'gzip';

/**
 * Keeps a part of an upload for a day. `checksum` is that of the bytes as they were before they were compressed. Throws
 * Invalid when it is another one or the part is too large, Conflict when there is no room; nothing is kept then.
 */
export async function storeChunk(
  ctx: Context,
  input: { checksum: string; encoding: ChunkEncoding; body: AsyncIterable<Uint8Array> },
): Promise<{ checksum: Checksum; bytes: number }> {
  requireOneOf(ctx, UPLOAD_RIGHTS);
  const checksum = checkChecksum(input.checksum);
  try {
    const options = { expected: checksum, bytesMax: CHUNK_BYTES };
    // What a part holds, only the whole tells.
    const { bytes } = await storeBytes(ctx, decoded(input), options, async () => null);
    // The bytes are there first: a part that is known can be read.
    await ctx.stores.artifacts.rememberChunk(ctx.organization.id, checksum, bytes, ctx.now());
    return { checksum, bytes };
  } catch (error) {
    if (!isZlibError(error)) throw error;
    throw invalid(`The part ${checksum} is not gzip: it cannot be unpacked`, 'file_gzip');
  }
}

/** What is too large once unpacked is refused by whoever writes it, piece by piece. */
function decoded(input: {
  encoding: ChunkEncoding;
  body: AsyncIterable<Uint8Array>;
}): AsyncIterable<Uint8Array> {
  if (input.encoding === 'none') return input.body;
  // A failure of either end reaches whoever reads the last one.
  return pipeline(Readable.from(input.body), createGunzip(), () => {});
}

const isZlibError = (error: unknown): boolean =>
  String((error as NodeJS.ErrnoException).code ?? '').startsWith('Z_');
