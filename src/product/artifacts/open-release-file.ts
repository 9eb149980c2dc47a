import type { Readable } from 'node:stream';
import type { Context } from '#product/context.ts';
import { openStored } from './open-stored.ts';
import { findReleaseFile, type ReleaseFile, type ReleaseFilePlace } from './release-files.ts';

/** The bytes of a file as they were uploaded. Throws NotFound. */
export async function openReleaseFile(
  ctx: Context,
  place: ReleaseFilePlace,
): Promise<{ file: ReleaseFile; content: Readable; bytes: number }> {
  const { row, bundle } = await findReleaseFile(ctx, place);
  return { file: row, ...(await openStored(ctx, bundle.checksum)) };
}
