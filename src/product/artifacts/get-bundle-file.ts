import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireOneOf } from '#product/permissions.ts';
import type { ArtifactFile } from '#storage/ports/artifacts.ts';
import { findBundleRow } from './bundle-row.ts';
import { ARTIFACT_READ_RIGHTS } from './upload-rights.ts';

/** What is known of one file of an upload. Throws NotFound. */
export async function getBundleFile(
  ctx: Context,
  input: { bundleId: number; fileId: number },
): Promise<ArtifactFile> {
  requireOneOf(ctx, ARTIFACT_READ_RIGHTS);
  const bundle = await findBundleRow(ctx, { bundleId: input.bundleId, projectSlugs: [] });
  const file = await ctx.stores.artifacts.findFile(ctx.organization.id, bundle.id, input.fileId);
  if (!file) throw notFound('The upload has no such file: list its files');
  return file;
}
