import type { Readable } from 'node:stream';
import { notFound } from '#lib/errors.ts';
import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { checkLimit, decodeCursor, encodeCursor } from '#product/cursor.ts';
import { requireOneOf } from '#product/permissions.ts';
import { checkVersion } from '#product/releases/check-release.ts';
import { selectProjects } from '#product/visible-projects.ts';
import type { ArtifactBundle, ArtifactFile } from './artifact.ts';
import { BUNDLE_PLACE } from './bundles.ts';
import { checkDist, checkFileName } from './check-upload.ts';
import { openStored } from './open-stored.ts';
import { ARTIFACT_READ_RIGHTS, requireAllVisible, UPLOAD_RIGHTS } from './upload-projects.ts';

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

/** Throws NotFound, also for a file of another release. */
export async function getReleaseFile(ctx: Context, place: ReleaseFilePlace): Promise<ReleaseFile> {
  return (await findReleaseFile(ctx, place)).row;
}

/** The bytes of a file as they were uploaded. Throws NotFound. */
export async function openReleaseFile(
  ctx: Context,
  place: ReleaseFilePlace,
): Promise<{ file: ReleaseFile; content: Readable; bytes: number }> {
  const { row, bundle } = await findReleaseFile(ctx, place);
  return { file: row, ...(await openStored(ctx, bundle.checksum)) };
}

/** Changes a release file's name or dist. Throws Invalid, NotFound, Forbidden when hidden projects use it, too. */
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

/** Deletes a release file, as builds may. Throws NotFound, and Forbidden when hidden projects use it, too. */
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

/** A file that was uploaded by itself, under a release. */
export type ReleaseFile = {
  id: number;
  /** As events name the script: `~/assets/app.js`. */
  name: string;
  /** null for none. */
  dist: string | null;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  bytes: number;
  /** SHA-1 in hex. */
  checksum: string;
  /** Milliseconds since the epoch. */
  uploadedAt: number;
};

export type ReleaseFilePlace = { version: string; projectSlugs: readonly string[]; fileId: number };

/** Of the projects, every visible one for none. Throws NotFound, also for a file of another release. */
export async function findReleaseFile(
  ctx: Context,
  place: ReleaseFilePlace,
): Promise<{ bundle: ArtifactBundle; file: ArtifactFile; row: ReleaseFile }> {
  requireOneOf(ctx, ARTIFACT_READ_RIGHTS);
  const version = checkVersion(place.version);
  const { artifacts } = ctx.stores;
  const projects = await selectProjects(ctx, place.projectSlugs);
  const bundle = await artifacts.findBundleById(
    ctx.organization.id,
    projects.map(({ id }) => id),
    place.fileId,
  );
  const isOfRelease = bundle?.releases.some((release) => release.version === version) ?? false;
  const [file] =
    bundle?.kind === 'release_file' && isOfRelease
      ? await artifacts.findReleaseFiles(ctx.organization.id, [bundle.id])
      : [];
  if (!bundle || !file) {
    throw notFound(
      `File not found in release "${version.slice(0, 100)}": it may have been replaced, list the release’s files`,
    );
  }
  return { bundle, file, row: toReleaseFile(bundle, file) };
}

/** Answers the id of the upload, which stands for the file to the outside. */
export const toReleaseFile = (bundle: ArtifactBundle, file: ArtifactFile): ReleaseFile => ({
  id: bundle.id,
  name: file.url,
  dist: bundle.releases[0]?.dist ?? null,
  headers: file.headers,
  bytes: file.bytes,
  checksum: bundle.checksum,
  uploadedAt: bundle.uploadedAt,
});
