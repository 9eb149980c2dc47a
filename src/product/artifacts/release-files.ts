import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireOneOf } from '#product/permissions.ts';
import { checkVersion } from '#product/releases/check-release.ts';
import { selectProjects } from '#product/visible-projects.ts';
import type { ArtifactBundle, ArtifactFile } from '#storage/ports/artifacts.ts';
import { ARTIFACT_READ_RIGHTS } from './upload-rights.ts';

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
      `The release "${version.slice(0, 100)}" has no such file: it may have been uploaded anew, list them`,
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
