import type { Readable } from 'node:stream';
import { notFound } from '#lib/errors.ts';
import { findZipFile } from '#lib/zip-archive.ts';
import type { Context } from '#product/context.ts';
import type { ArtifactFile } from '#storage/ports/artifacts.ts';
import { ARCHIVE_LIMITS } from './archive-limits.ts';
import { getBundleFile } from './get-bundle-file.ts';
import { openStored, streamOf } from './open-stored.ts';

/**
 * The bytes of one file of an upload, unpacked while they are read. Throws NotFound, and Invalid when the archive is
 * broken; a file that is damaged ends the stream with an error.
 */
export async function openBundleFile(
  ctx: Context,
  input: { bundleId: number; fileId: number },
): Promise<{ file: ArtifactFile; content: Readable; bytes: number }> {
  const file = await getBundleFile(ctx, input);
  const opened =
    file.path === null
      ? await openStored(ctx, file.checksum)
      : await openPacked(ctx, file.checksum, file.path);
  return { file, ...opened };
}

async function openPacked(
  { stores, organization }: Context,
  checksum: string,
  path: string,
): Promise<{ content: Readable; bytes: number }> {
  const reader = await stores.artifactFiles.open(organization.id, checksum);
  try {
    const packed = reader && (await findZipFile(reader, ARCHIVE_LIMITS, path));
    if (!packed) throw notFound('The content is not stored any more: upload it again');
    return { content: streamOf(reader, packed.pieces(packed.bytes)), bytes: packed.bytes };
  } catch (error) {
    await reader?.close();
    throw error;
  }
}
