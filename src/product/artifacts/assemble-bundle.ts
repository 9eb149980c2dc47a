import type { Project } from '#domain/projects.ts';
import { openZip } from '#lib/zip-archive.ts';
import type { Context } from '#product/context.ts';
import { requireOneOf } from '#product/permissions.ts';
import { checkVersion, registerRelease } from '#product/releases/check-release.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import type { ArtifactFileReader, Checksum } from '#storage/ports/artifact-files.ts';
import type { ArtifactBundle, NewArtifactBundle } from './artifact.ts';
import { assembleFile, findMissingChunks } from './assemble-file.ts';
import { type AssembleAnswer, answerOf, answerOfFailure, runAssemble } from './assemble-runs.ts';
import { checkChecksum, checkChunks, checkDist } from './check-upload.ts';
import { readManifest } from './read-manifest.ts';
import { ARCHIVE_LIMITS } from './upload-limits.ts';
import { selectUploadProjects, UPLOAD_RIGHTS } from './upload-projects.ts';

type BundleUpload = {
  checksum: Checksum;
  chunks: readonly Checksum[];
  /** null: those that the manifest or the release names. */
  projects: readonly Project[] | null;
  version: string | null;
  dist: string | null;
};

/** Assembles a bundle from its chunks; repeatable. Throws Invalid, NotFound, Conflict when out of space. */
export async function assembleBundle(
  ctx: Context,
  input: {
    checksum: string;
    chunks: readonly string[];
    projectSlugs: readonly string[];
    version: string | null;
    dist: string | null;
  },
): Promise<AssembleAnswer> {
  requireOneOf(ctx, UPLOAD_RIGHTS);
  const version = input.version === null ? null : checkVersion(input.version);
  const upload: BundleUpload = {
    checksum: checkChecksum(input.checksum),
    chunks: checkChunks(input.chunks),
    projects:
      input.projectSlugs.length === 0
        ? null
        : await selectUploadProjects(ctx, { projectSlugs: input.projectSlugs, version }),
    version,
    dist: checkDist(input.dist),
  };
  const joined = await joinStored(ctx, upload);
  if (joined) return joined;
  const missing = await findMissingChunks(ctx, upload.chunks);
  if (missing.length > 0 || upload.chunks.length === 0) return answerOf('not_found', missing);
  const projectIds = upload.projects?.map(({ id }) => id) ?? [];
  const key = JSON.stringify([
    'bundle',
    ctx.organization.id,
    upload.checksum,
    projectIds,
    version,
    upload.dist,
  ]);
  return await runAssemble(key, () => assemble(ctx, upload));
}

/** The same archive was uploaded before; null when it was not, or its bytes are gone. */
async function joinStored(ctx: Context, upload: BundleUpload): Promise<AssembleAnswer | null> {
  const { artifacts, artifactFiles } = ctx.stores;
  const organizationId = ctx.organization.id;
  const stored = await artifacts.findBundle(organizationId, upload.checksum);
  if (!stored || !(await artifactFiles.has(organizationId, upload.checksum))) return null;
  const projects = upload.projects ?? (await projectsOf(ctx, stored, upload.version));
  const projectIds = projects.map(({ id }) => id);
  const { version, dist } = upload;
  const joined = await artifacts.joinBundle(organizationId, upload.checksum, {
    projectIds,
    releases: version === null ? [] : [{ version, dist }],
    uploadedAt: ctx.now(),
  });
  if (!joined) return null;
  await saveRelease(ctx, version, projectIds);
  return answerOf('ok');
}

/** Those that it has, as far as whoever asks may see them; else those of the release. */
async function projectsOf(
  ctx: Context,
  stored: ArtifactBundle,
  version: string | null,
): Promise<readonly Project[]> {
  const visible = await listVisibleProjects(ctx);
  const known = visible.filter(({ id }) => stored.projectIds.includes(id));
  return known.length > 0 ? known : await selectUploadProjects(ctx, { projectSlugs: [], version });
}

async function assemble(ctx: Context, upload: BundleUpload): Promise<AssembleAnswer> {
  try {
    const assembled = await assembleFile(ctx, upload, (reader) => readBundle(ctx, upload, reader));
    if (assembled.state === 'gone') return answerOf('not_found', assembled.chunks);
    await saveBundle(ctx, assembled.checked);
    return answerOf('ok');
  } catch (error) {
    return answerOfFailure(error);
  }
}

/** All that may be wrong with it is found here, before its bytes are kept. */
async function readBundle(
  ctx: Context,
  upload: BundleUpload,
  reader: ArtifactFileReader,
): Promise<NewArtifactBundle> {
  const manifest = await readManifest(await openZip(reader, ARCHIVE_LIMITS));
  // What the request says counts before what the archive says.
  const named = upload.version ?? manifest.release;
  const version = named === null ? null : checkVersion(named);
  const dist = checkDist(upload.dist ?? manifest.dist);
  const projects =
    upload.projects ??
    (await selectUploadProjects(ctx, {
      projectSlugs: manifest.project === null ? [] : [manifest.project],
      version,
    }));
  return {
    kind: 'bundle',
    checksum: upload.checksum,
    bytes: reader.bytes,
    uploadedAt: ctx.now(),
    projectIds: projects.map(({ id }) => id),
    releases: version === null ? [] : [{ version, dist }],
    files: manifest.files,
  };
}

async function saveBundle(ctx: Context, bundle: NewArtifactBundle): Promise<void> {
  await ctx.stores.artifacts.saveBundle(ctx.organization.id, bundle);
  await saveRelease(ctx, bundle.releases[0]?.version ?? null, bundle.projectIds);
}

/** A release is there once something was uploaded for it. */
async function saveRelease(
  ctx: Context,
  version: string | null,
  projectIds: readonly number[],
): Promise<void> {
  if (version === null) return;
  await registerRelease(ctx, { version, projectIds, change: {} });
}
