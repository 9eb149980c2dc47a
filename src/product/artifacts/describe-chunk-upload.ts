import type { Context } from '#product/context.ts';
import { requireOneOf } from '#product/permissions.ts';
import {
  ASSEMBLE_WAIT_SECONDS,
  CHUNK_BYTES,
  CHUNK_CONCURRENCY,
  CHUNK_REQUEST_BYTES_MAX,
  CHUNKS_PER_REQUEST_MAX,
  UPLOAD_BYTES_MAX,
} from './upload-limits.ts';
import { UPLOAD_RIGHTS } from './upload-rights.ts';
import { requireUploadRoom } from './upload-room.ts';

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
  await requireUploadRoom(ctx, 0);
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
    // `debug_files`: clients that ask nothing else about mappings; other kinds of them are refused one by one.
    accept: ['release_files', 'artifact_bundles', 'artifact_bundles_v2', 'proguard', 'debug_files'],
  };
}
