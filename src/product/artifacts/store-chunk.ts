import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireOneOf } from '#product/permissions.ts';
import type { Checksum } from '#storage/ports/artifact-files.ts';
import { checkChecksum } from './check-upload.ts';
import { storeBytes } from './store-bytes.ts';
import { requireUploadHeadroom } from './upload-headroom.ts';
import {
  ASSEMBLE_WAIT_SECONDS,
  CHUNK_BYTES,
  CHUNK_CONCURRENCY,
  CHUNK_REQUEST_BYTES_MAX,
  CHUNKS_PER_REQUEST_MAX,
  UPLOAD_BYTES_MAX,
} from './upload-limits.ts';
import { UPLOAD_RIGHTS } from './upload-projects.ts';

export type ChunkEncoding = 'none' | 'gzip';

/** Keeps a chunk for a day; `checksum` is of the uncompressed bytes. Throws Invalid, Conflict when out of space. */
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
    throw invalid(`Chunk ${checksum} is not valid gzip`, 'file_gzip');
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

/** In the names that the clients read. Sizes in bytes, `maxWait` in seconds. */
export type ChunkUploadOptions = {
  url: string;
  chunkSize: number;
  chunksPerRequest: number;
  maxRequestSize: number;
  maxFileSize: number;
  maxWait: number;
  concurrency: number;
  hashAlgorithm: 'sha1';
  compression: readonly string[];
  accept: readonly string[];
};

/** What clients may upload, and how. Throws Conflict when there is no room for anything: better now than after it. */
export async function describeChunkUpload(ctx: Context): Promise<ChunkUploadOptions> {
  requireOneOf(ctx, UPLOAD_RIGHTS);
  await requireUploadHeadroom(ctx, 0);
  return {
    url: `${ctx.publicUrl}/api/0/organizations/${ctx.organization.slug}/chunk-upload/`,
    chunkSize: CHUNK_BYTES,
    chunksPerRequest: CHUNKS_PER_REQUEST_MAX,
    maxRequestSize: CHUNK_REQUEST_BYTES_MAX,
    maxFileSize: UPLOAD_BYTES_MAX,
    maxWait: ASSEMBLE_WAIT_SECONDS,
    concurrency: CHUNK_CONCURRENCY,
    hashAlgorithm: 'sha1',
    compression: ['gzip'],
    // `debug_files`: mappings and symbol files; other kinds of them are refused one by one.
    accept: ['release_files', 'artifact_bundles', 'artifact_bundles_v2', 'proguard', 'debug_files'],
  };
}
