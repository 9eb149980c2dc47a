import type { Context } from '#product/context.ts';
import { decodeCursor, encodeCursor } from '#product/cursor.ts';
import { checkLimit } from '#product/page-limit.ts';
import { requireOneOf } from '#product/permissions.ts';
import { listVisibleProjects, selectProjects } from '#product/visible-projects.ts';
import { BUNDLE_PLACE, type BundleRow, toBundleRow } from './bundle-row.ts';
import { ARTIFACT_READ_RIGHTS } from './upload-rights.ts';

/**
 * Uploads of the projects, every visible one for none, newest first: archives, and files of releases by themselves.
 * `search` keeps those with a file, a debug id or a release like it; `version` null for any.
 */
export async function listBundles(
  ctx: Context,
  input: {
    projectSlugs: readonly string[];
    version: string | null;
    search: string;
    cursor: string | null;
    limit: number;
  },
): Promise<{ bundles: readonly BundleRow[]; nextCursor: string | null }> {
  requireOneOf(ctx, ARTIFACT_READ_RIGHTS);
  checkLimit(input.limit);
  const asked = await selectProjects(ctx, input.projectSlugs);
  const visible = await listVisibleProjects(ctx);
  const { bundles, next } = await ctx.stores.artifacts.listBundles(
    ctx.organization.id,
    asked.map(({ id }) => id),
    {
      kind: null,
      version: input.version,
      search: input.search.trim(),
      limit: input.limit,
      after: decodeCursor(input.cursor, BUNDLE_PLACE),
    },
  );
  return {
    bundles: bundles.map((bundle) => toBundleRow(bundle, visible)),
    nextCursor: next && encodeCursor(next),
  };
}
