import { z } from 'zod';
import { each, idOf, isoMs, NULL, shapeOf } from '#app/api/0/shape.ts';
import { ownValue } from '#lib/own-value.ts';
import type {
  ArtifactBundle,
  ArtifactFile,
  ArtifactFileKind,
  DeobfuscationFile,
} from '#product/artifacts/artifact.ts';
import type { ReleaseFile } from '#product/artifacts/release-files.ts';

/** Source of the fields: src/sentry/api/serializers/models/artifactbundle.py of Sentry. */
export const [BUNDLE, serializeBundle] = shapeOf<ArtifactBundle>()(
  {
    bundleId: idOf('id'),
    associations: [
      z.array(z.object({ release: z.string(), dist: z.string().nullable() })),
      ({ releases }) => releases.map(({ version, dist }) => ({ release: version, dist })),
    ],
    ...each(isoMs('uploadedAt'), 'date', 'dateModified'),
    fileCount: z.number(),
    size: [z.number(), 'bytes'],
  },
  'Bundle',
);

/** Sentry's numbers of the kinds; 0 for what it has none for. */
const FILE_TYPES: Readonly<Record<ArtifactFileKind, number>> = {
  other: 0,
  source: 1,
  minified_source: 2,
  source_map: 3,
};

export const [BUNDLE_FILE, serializeBundleFile] = shapeOf<ArtifactFile>()(
  {
    id: idOf('id'),
    fileType: [z.number(), ({ kind }) => FILE_TYPES[kind]],
    filePath: [z.string(), ({ url, path }) => url || (path ?? '')],
    fileSize: [z.number(), 'bytes'],
    debugId: z.string().nullable(),
    sourcemap: [z.string().nullable(), 'sourceMap'],
  },
  'BundleFile',
);

/** Source of the fields: https://docs.sentry.io/api/projects/list-a-projects-debug-information-files/ */
export const [DEOBFUSCATION_FILE, serializeDeobfuscationFile] = shapeOf<DeobfuscationFile>()(
  {
    id: idOf('id'),
    ...each([z.string(), 'debugId'], 'uuid', 'debugId'),
    codeId: NULL,
    cpuName: [z.string(), ({ arch }) => arch ?? 'any'],
    objectName: [z.string(), 'name'],
    symbolType: [z.string(), 'kind'],
    headers: [
      z.object({ 'Content-Type': z.string() }),
      ({ kind }) => ({
        'Content-Type': kind === 'breakpad' ? 'text/x-breakpad' : 'text/x-proguard+plain',
      }),
    ],
    size: [z.number(), 'bytes'],
    sha1: [z.string(), 'checksum'],
    dateCreated: isoMs('uploadedAt'),
    data: [
      z.object({ features: z.array(z.string()) }),
      ({ kind }) => ({ features: kind === 'breakpad' ? ['symtab', 'debug', 'unwind'] : ['mapping'] }),
    ],
  },
  'DeobfuscationFile',
);

/** An upload as the list of a project's source maps shows it, by the first release that it belongs to. */
export const [ARCHIVE, serializeArchive] = shapeOf<ArtifactBundle>()(
  {
    type: [z.string(), ({ kind }) => (kind === 'bundle' ? 'bundle' : 'release')],
    id: idOf('id'),
    name: [z.string(), ({ releases }) => releases[0]?.version ?? ''],
    date: isoMs('uploadedAt'),
    fileCount: z.number(),
  },
  'Archive',
);

/** How far an upload is that is made of parts. */
export const ASSEMBLY = z
  .object({
    state: z.enum(['not_found', 'assembling', 'ok', 'error']),
    missingChunks: z.array(z.string()),
    detail: z.string().nullable(),
  })
  .meta({ id: 'Assembly' });

/** sentry-cli looks for exactly these names. */
const HEADER_NAMES: Readonly<Record<string, string>> = {
  sourcemap: 'Sourcemap',
  'content-type': 'Content-Type',
};

/** Source of the fields: https://docs.sentry.io/api/releases/list-a-projects-release-files/ */
export const [RELEASE_FILE, serializeReleaseFile] = shapeOf<ReleaseFile>()(
  {
    id: idOf('id'),
    name: z.string(),
    dist: z.string().nullable(),
    headers: [
      z.record(z.string(), z.string()),
      ({ headers }) =>
        Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [ownValue(HEADER_NAMES, name) ?? name, value]),
        ),
    ],
    size: [z.number(), 'bytes'],
    sha1: [z.string(), 'checksum'],
    dateCreated: isoMs('uploadedAt'),
  },
  'ReleaseFile',
);
