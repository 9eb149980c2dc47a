import type { Context } from '#product/context.ts';
import { requireOneOf } from '#product/permissions.ts';
import { type BundleRow, findBundleRow } from './bundle-row.ts';
import { ARTIFACT_READ_RIGHTS } from './upload-rights.ts';

/** Throws NotFound when none of the projects, every visible one for none, has it. */
export async function getBundle(
  ctx: Context,
  input: { bundleId: number; projectSlugs: readonly string[] },
): Promise<BundleRow> {
  requireOneOf(ctx, ARTIFACT_READ_RIGHTS);
  return await findBundleRow(ctx, input);
}
