import { z } from 'zod';
import type { Context } from '#product/context.ts';
import { decodeCursor, encodeCursor } from '#product/cursor.ts';
import { checkLimit } from '#product/page-limit.ts';
import { requireOneOf } from '#product/permissions.ts';
import type { ArtifactFile } from '#storage/ports/artifacts.ts';
import { findBundleRow } from './bundle-row.ts';
import { ARTIFACT_READ_RIGHTS } from './upload-rights.ts';

export const FILE_PLACE = z.number().int();

/** What an upload holds, in its order; `search` keeps files with a name or a debug id like it. Throws NotFound. */
export async function listBundleFiles(
  ctx: Context,
  input: { bundleId: number; search: string; cursor: string | null; limit: number },
): Promise<{ files: readonly ArtifactFile[]; nextCursor: string | null }> {
  requireOneOf(ctx, ARTIFACT_READ_RIGHTS);
  checkLimit(input.limit);
  const bundle = await findBundleRow(ctx, { bundleId: input.bundleId, projectSlugs: [] });
  const files = await ctx.stores.artifacts.listFiles(ctx.organization.id, bundle.id, {
    search: input.search.trim(),
    limit: input.limit + 1,
    afterId: decodeCursor(input.cursor, FILE_PLACE),
  });
  const page = files.slice(0, input.limit);
  const last = files.length > input.limit ? page.at(-1) : undefined;
  return { files: page, nextCursor: last ? encodeCursor(last.id) : null };
}
