import type { Context } from '#product/context.ts';
import { decodeCursor, encodeCursor } from '#product/cursor.ts';
import { checkLimit } from '#product/page-limit.ts';
import { requireOneOf } from '#product/permissions.ts';
import { projectNotFound, selectProjects } from '#product/visible-projects.ts';
import type { DeobfuscationFile } from '#storage/ports/artifacts.ts';
import { FILE_PLACE } from './list-bundle-files.ts';
import { ARTIFACT_READ_RIGHTS } from './upload-rights.ts';

/** Mappings of a project; `search` keeps those with a name or a debug id like it. Throws NotFound. */
export async function listDeobfuscationFiles(
  ctx: Context,
  input: { projectSlug: string; search: string; cursor: string | null; limit: number },
): Promise<{ files: readonly DeobfuscationFile[]; nextCursor: string | null }> {
  requireOneOf(ctx, ARTIFACT_READ_RIGHTS);
  checkLimit(input.limit);
  const [project] = await selectProjects(ctx, [input.projectSlug]);
  if (!project) throw projectNotFound(ctx, input.projectSlug);
  const files = await ctx.stores.artifacts.listDeobfuscationFiles(ctx.organization.id, project.id, {
    search: input.search.trim(),
    limit: input.limit + 1,
    afterId: decodeCursor(input.cursor, FILE_PLACE),
  });
  const page = files.slice(0, input.limit);
  const last = files.length > input.limit ? page.at(-1) : undefined;
  return { files: page, nextCursor: last ? encodeCursor(last.id) : null };
}
