import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireOneOf } from '#product/permissions.ts';
import { findReleaseFile, type ReleaseFilePlace } from './release-files.ts';
import { requireAllVisible } from './require-all-visible.ts';
import { UPLOAD_RIGHTS } from './upload-rights.ts';

/**
 * A build may delete what it uploaded by itself. Throws NotFound, and Forbidden when the file also serves projects that
 * whoever asks may not see.
 */
export async function deleteReleaseFile(ctx: Context, place: ReleaseFilePlace): Promise<void> {
  requireOneOf(ctx, UPLOAD_RIGHTS);
  const { row } = await findReleaseFile(ctx, place);
  await requireAllVisible(ctx, row.id);
  await audited(
    ctx,
    (ctx) => ctx.stores.artifacts.deleteBundles(ctx.organization.id, [row.id]),
    () => ({
      action: 'release-file.remove',
      target: { kind: 'release_file', id: row.id, name: row.name },
      data: { release: place.version, dist: row.dist },
    }),
  );
}
