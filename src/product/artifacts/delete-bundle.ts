import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { findBundleRow } from './bundle-row.ts';
import { requireAllVisible } from './require-all-visible.ts';

/**
 * Deletes an upload for all its projects; its bytes go within two hours. Throws NotFound, and Forbidden when it also
 * serves projects that whoever asks may not see.
 */
export async function deleteBundle(ctx: Context, input: { bundleId: number }): Promise<void> {
  requireRight(ctx, 'project:write');
  const bundle = await findBundleRow(ctx, { bundleId: input.bundleId, projectSlugs: [] });
  await requireAllVisible(ctx, bundle.id);
  await audited(
    ctx,
    (ctx) => ctx.stores.artifacts.deleteBundles(ctx.organization.id, [bundle.id]),
    () => ({
      action: 'artifact-bundle.remove',
      target: { kind: 'artifact_bundle', id: bundle.id, name: bundle.checksum },
      data: { projects: bundle.projectSlugs, releases: bundle.releases, files: bundle.fileCount },
    }),
  );
}
