import type { Context } from '#product/context.ts';
import { decodeCursor, encodeCursor } from '#product/cursor.ts';
import { checkLimit } from '#product/page-limit.ts';
import { requireOneOf } from '#product/permissions.ts';
import { checkVersion } from '#product/releases/check-release.ts';
import { selectProjects } from '#product/visible-projects.ts';
import { BUNDLE_PLACE } from './bundle-row.ts';
import { type ReleaseFile, toReleaseFile } from './release-files.ts';
import { ARTIFACT_READ_RIGHTS } from './upload-rights.ts';

/** Files that were uploaded by themselves under a release of the projects, every visible one for none; newest first. */
export async function listReleaseFiles(
  ctx: Context,
  input: {
    version: string;
    projectSlugs: readonly string[];
    search: string;
    cursor: string | null;
    limit: number;
  },
): Promise<{ files: readonly ReleaseFile[]; nextCursor: string | null }> {
  requireOneOf(ctx, ARTIFACT_READ_RIGHTS);
  checkLimit(input.limit);
  const { artifacts } = ctx.stores;
  const projects = await selectProjects(ctx, input.projectSlugs);
  const { bundles, next } = await artifacts.listBundles(
    ctx.organization.id,
    projects.map(({ id }) => id),
    {
      kind: 'release_file',
      version: checkVersion(input.version),
      search: input.search.trim(),
      limit: input.limit,
      after: decodeCursor(input.cursor, BUNDLE_PLACE),
    },
  );
  const files = await artifacts.findReleaseFiles(
    ctx.organization.id,
    bundles.map(({ id }) => id),
  );
  const byBundle = new Map(files.map((file) => [file.bundleId, file]));
  return {
    files: bundles.flatMap((bundle) => {
      const file = byBundle.get(bundle.id);
      return file ? [toReleaseFile(bundle, file)] : [];
    }),
    nextCursor: next && encodeCursor(next),
  };
}
