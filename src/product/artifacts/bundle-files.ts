import type { Readable } from 'node:stream';
import { z } from 'zod';
import { notFound } from '#lib/errors.ts';
import { findZipFile } from '#lib/zip-archive.ts';
import type { Context } from '#product/context.ts';
import { checkLimit, decodeCursor, toPage } from '#product/cursor.ts';
import { requireOneOf } from '#product/permissions.ts';
import type { ArtifactFile } from './artifact.ts';
import { findBundleRow } from './bundles.ts';
import { openStored, streamOf } from './open-stored.ts';
import type { ArtifactStore } from './store/artifact-store.ts';
import { ARCHIVE_LIMITS } from './upload-limits.ts';
import { ARTIFACT_READ_RIGHTS } from './upload-projects.ts';

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
  const { page, nextCursor } = toPage(files, input.limit, ({ id }) => id);
  return { files: page, nextCursor };
}

/** What is known of one file of an upload. Throws NotFound. */
export async function getBundleFile(
  ctx: Context,
  input: { bundleId: number; fileId: number },
): Promise<ArtifactFile> {
  requireOneOf(ctx, ARTIFACT_READ_RIGHTS);
  const bundle = await findBundleRow(ctx, { bundleId: input.bundleId, projectSlugs: [] });
  const file = await ctx.stores.artifacts.findFile(ctx.organization.id, bundle.id, input.fileId);
  if (!file) throw notFound('File not found in this upload: list its files');
  return file;
}

/** One file of an upload, decompressed as a stream. Throws NotFound, and Invalid for a broken archive. */
export async function openBundleFile(
  ctx: Context,
  input: { bundleId: number; fileId: number },
): Promise<{ file: ArtifactFile; content: Readable; bytes: number }> {
  const file = await getBundleFile(ctx, input);
  const opened =
    file.path === null
      ? await openStored(ctx, file.checksum)
      : await openPacked(ctx, file.checksum, file.path);
  return { file, ...opened };
}

async function openPacked(
  { stores, organization }: Context,
  checksum: string,
  path: string,
): Promise<{ content: Readable; bytes: number }> {
  const reader = await stores.artifactFiles.open(organization.id, checksum);
  try {
    const packed = reader && (await findZipFile(reader, ARCHIVE_LIMITS, path));
    if (!packed) throw notFound('The content is no longer stored: upload it again');
    return { content: streamOf(reader, packed.pieces(packed.bytes)), bytes: packed.bytes };
  } catch (error) {
    await reader?.close();
    throw error;
  }
}

/** The file of a bundle with one of the names, by their order; null when it has none. */
export async function findInBundle(
  artifacts: Pick<ArtifactStore, 'findInBundle'>,
  organizationId: number,
  bundleId: number,
  names: readonly string[],
): Promise<ArtifactFile | null> {
  const found = await artifacts.findInBundle(organizationId, bundleId, names);
  return names.flatMap((name) => found.filter(({ url }) => url === name)).at(0) ?? null;
}
