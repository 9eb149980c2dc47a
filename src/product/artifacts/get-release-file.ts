import type { Context } from '#product/context.ts';
import { findReleaseFile, type ReleaseFile, type ReleaseFilePlace } from './release-files.ts';

/** Throws NotFound, also for a file of another release. */
export async function getReleaseFile(ctx: Context, place: ReleaseFilePlace): Promise<ReleaseFile> {
  return (await findReleaseFile(ctx, place)).row;
}
