import { z } from 'zod';
import { isoOfMs } from '#app/api/0/shapes/moments.ts';
import { ownValue } from '#lib/own-value.ts';
import type {
  ArtifactBundle,
  ArtifactFile,
  ArtifactFileKind,
  DeobfuscationFile,
} from '#product/artifacts/artifact.ts';
import type { ReleaseFile } from '#product/artifacts/release-files.ts';

export const BUNDLE = z
  .object({
    bundleId: z.string(),
    associations: z.array(z.object({ release: z.string(), dist: z.string().nullable() })),
    date: z.string(),
    dateModified: z.string(),
    fileCount: z.number(),
    size: z.number(),
  })
  .meta({ id: 'Bundle' });

export const BUNDLE_FILE = z
  .object({
    id: z.string(),
    fileType: z.number(),
    filePath: z.string(),
    fileSize: z.number(),
    debugId: z.string().nullable(),
    sourcemap: z.string().nullable(),
  })
  .meta({ id: 'BundleFile' });

export const DEOBFUSCATION_FILE = z
  .object({
    id: z.string(),
    uuid: z.string(),
    debugId: z.string(),
    codeId: z.null(),
    cpuName: z.string(),
    objectName: z.string(),
    symbolType: z.string(),
    headers: z.object({ 'Content-Type': z.string() }),
    size: z.number(),
    sha1: z.string(),
    dateCreated: z.string(),
    data: z.object({ features: z.array(z.string()) }),
  })
  .meta({ id: 'DeobfuscationFile' });

export const ARCHIVE = z
  .object({ type: z.string(), id: z.string(), name: z.string(), date: z.string(), fileCount: z.number() })
  .meta({ id: 'Archive' });

/** How far an upload is that is made of parts. */
export const ASSEMBLY = z
  .object({
    state: z.enum(['not_found', 'assembling', 'ok', 'error']),
    missingChunks: z.array(z.string()),
    detail: z.string().nullable(),
  })
  .meta({ id: 'Assembly' });

export const RELEASE_FILE = z
  .object({
    id: z.string(),
    name: z.string(),
    dist: z.string().nullable(),
    headers: z.record(z.string(), z.string()),
    size: z.number(),
    sha1: z.string(),
    dateCreated: z.string(),
  })
  .meta({ id: 'ReleaseFile' });

/** sentry-cli looks for these names as they stand here. */
const HEADER_NAMES: Readonly<Record<string, string>> = {
  sourcemap: 'Sourcemap',
  'content-type': 'Content-Type',
};

/** Source of the fields: https://docs.sentry.io/api/releases/list-a-projects-release-files/ */
export const serializeReleaseFile = (file: ReleaseFile) => ({
  id: String(file.id),
  name: file.name,
  dist: file.dist,
  headers: Object.fromEntries(
    Object.entries(file.headers).map(([name, value]) => [ownValue(HEADER_NAMES, name) ?? name, value]),
  ),
  size: file.bytes,
  sha1: file.checksum,
  dateCreated: isoOfMs(file.uploadedAt),
});

/** Source of the fields: https://docs.sentry.io/api/projects/list-a-projects-debug-information-files/ */
export const serializeDeobfuscationFile = (file: DeobfuscationFile) => ({
  id: String(file.id),
  uuid: file.debugId,
  debugId: file.debugId,
  codeId: null,
  cpuName: 'any',
  objectName: file.name,
  symbolType: 'proguard',
  headers: { 'Content-Type': 'text/x-proguard+plain' },
  size: file.bytes,
  sha1: file.checksum,
  dateCreated: isoOfMs(file.uploadedAt),
  data: { features: ['mapping'] },
});

/** Source of the fields: src/sentry/api/serializers/models/artifactbundle.py of Sentry. */
export const serializeBundle = (bundle: ArtifactBundle) => ({
  bundleId: String(bundle.id),
  associations: bundle.releases.map(({ version, dist }) => ({ release: version, dist })),
  date: isoOfMs(bundle.uploadedAt),
  dateModified: isoOfMs(bundle.uploadedAt),
  fileCount: bundle.fileCount,
  size: bundle.bytes,
});

/** Sentry's numbers of the kinds; 0 for what it has none for. */
const FILE_TYPES: Readonly<Record<ArtifactFileKind, number>> = {
  other: 0,
  source: 1,
  minified_source: 2,
  source_map: 3,
};

export const serializeBundleFile = (file: ArtifactFile) => ({
  id: String(file.id),
  fileType: FILE_TYPES[file.kind],
  filePath: file.url || (file.path ?? ''),
  fileSize: file.bytes,
  debugId: file.debugId,
  sourcemap: file.sourceMap,
});

/** An upload as the list of a project's source maps shows it, by the first release that it belongs to. */
export const serializeArchive = (bundle: ArtifactBundle) => ({
  type: bundle.kind === 'bundle' ? 'bundle' : 'release',
  id: String(bundle.id),
  name: bundle.releases[0]?.version ?? '',
  date: isoOfMs(bundle.uploadedAt),
  fileCount: bundle.fileCount,
});
