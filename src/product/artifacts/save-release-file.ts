import type { Context } from '#product/context.ts';
import { requireOneOf } from '#product/permissions.ts';
import { checkVersion, registerRelease } from '#product/releases/check-release.ts';
import type { ArtifactFileReader } from '#storage/ports/artifact-files.ts';
import type { ArtifactFileKind, NewArtifactFile } from './artifact.ts';
import { checkDist, checkFileName, toDebugId, toHeaders } from './check-upload.ts';
import { piecesOf } from './open-stored.ts';
import { mapOf } from './read-manifest.ts';
import { type ReleaseFile, toReleaseFile } from './release-files.ts';
import { scanScriptComments } from './script-comments.ts';
import { storeBytes } from './store-bytes.ts';
import { RELEASE_FILE_BYTES_MAX } from './upload-limits.ts';
import { selectUploadProjects, UPLOAD_RIGHTS } from './upload-projects.ts';

export type ReleaseFileFields = {
  name: string;
  dist: string | null;
  headers: Readonly<Record<string, string>>;
};

/** Saves a release file, replacing one of the same name and dist. Throws Invalid, NotFound, Conflict when full. */
export async function saveReleaseFile(
  ctx: Context,
  input: {
    version: string;
    projectSlugs: readonly string[];
    body: AsyncIterable<Uint8Array>;
    describe: () => Promise<ReleaseFileFields>;
  },
): Promise<ReleaseFile> {
  requireOneOf(ctx, UPLOAD_RIGHTS);
  const version = checkVersion(input.version);
  const projects = await selectUploadProjects(ctx, { projectSlugs: input.projectSlugs, version });
  const { checked, ...stored } = await storeBytes(
    ctx,
    input.body,
    { expected: null, bytesMax: RELEASE_FILE_BYTES_MAX },
    async (reader) => describeFile(reader, await input.describe()),
  );
  const projectIds = projects.map(({ id }) => id);
  const { artifacts } = ctx.stores;
  const bundle = await artifacts.saveBundle(ctx.organization.id, {
    kind: 'release_file',
    ...stored,
    uploadedAt: ctx.now(),
    projectIds,
    releases: [{ version, dist: checked.dist }],
    files: [checked.file],
  });
  await registerRelease(ctx, { version, projectIds, change: {} });
  const [file] = await artifacts.findReleaseFiles(ctx.organization.id, [bundle.id]);
  if (!file) throw new Error(`The file ${bundle.id} was replaced right after it was saved`);
  return toReleaseFile(bundle, file);
}

async function describeFile(
  reader: ArtifactFileReader,
  fields: ReleaseFileFields,
): Promise<{ dist: string | null; file: NewArtifactFile }> {
  const url = checkFileName(fields.name);
  const headers = toHeaders(fields.headers);
  const kind = kindOf(url);
  const named = { debugId: toDebugId(headers['debug-id']), sourceMap: mapOf(headers) };
  const isSilent = kind === 'minified_source' && named.debugId === null && named.sourceMap === null;
  const said = isSilent ? await scanScriptComments(piecesOf(reader)) : named;
  return {
    dist: checkDist(fields.dist),
    file: { kind, url, path: null, bytes: reader.bytes, headers, ...said },
  };
}

/** What a file by itself is, only its name says. */
function kindOf(url: string): ArtifactFileKind {
  const path = url.replace(/[?#].*$/, '').toLowerCase();
  if (path.endsWith('.map')) return 'source_map';
  return /\.(js|mjs|cjs|jsbundle|bundle|hbc)$/.test(path) ? 'minified_source' : 'source';
}
