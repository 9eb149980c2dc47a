import type { Context } from '#product/context.ts';
import { requireOneOf } from '#product/permissions.ts';
import { checkDist, checkFileName } from './check-upload.ts';
import { findReleaseFile, type ReleaseFile, type ReleaseFilePlace } from './release-files.ts';
import { requireAllVisible } from './require-all-visible.ts';
import { UPLOAD_RIGHTS } from './upload-rights.ts';

/**
 * Renames a file of a release, or gives it another dist; what is absent stays. Throws Invalid, NotFound, and Forbidden
 * when the file also serves projects that whoever asks may not see.
 */
export async function updateReleaseFile(
  ctx: Context,
  input: ReleaseFilePlace & { name?: string; dist?: string | null },
): Promise<ReleaseFile> {
  requireOneOf(ctx, UPLOAD_RIGHTS);
  const { row, file } = await findReleaseFile(ctx, input);
  await requireAllVisible(ctx, row.id);
  await ctx.stores.artifacts.updateReleaseFile(ctx.organization.id, row.id, {
    url: input.name === undefined ? file.url : checkFileName(input.name),
    dist: input.dist === undefined ? row.dist : checkDist(input.dist),
  });
  return (await findReleaseFile(ctx, input)).row;
}
