import { parseBoundedJson } from '#lib/bounded-json.ts';
import { invalid } from '#lib/errors.ts';
import type { ZipArchive } from '#lib/zip-archive.ts';
import type { ArtifactFileKind, NewArtifactFile } from './artifact.ts';
import { checkFileName, toDebugId, toHeaders } from './check-upload.ts';
import { scanScriptComments } from './script-comments.ts';

/** What a bundle says of itself. Texts are null when it does not say them. */
export type BundleManifest = {
  project: string | null;
  release: string | null;
  dist: string | null;
  files: readonly NewArtifactFile[];
};

const MANIFEST = 'manifest.json';
/** Parsed whole, so far below what a process may hold. */
const MANIFEST_BYTES_MAX = 16 * 1024 * 1024;
/** Scripts about which the manifest says nothing are read, up to so many bytes each and all together. */
const SCRIPT_BYTES_MAX = 32 * 1024 * 1024;
const SCRIPTS_BYTES_MAX = 256 * 1024 * 1024;
/** Headers that name the map of a script; the second is the older one. */
const MAP_HEADERS = ['sourcemap', 'x-sourcemap'];

const KINDS: ReadonlyMap<unknown, ArtifactFileKind> = new Map(
  (['minified_source', 'source_map', 'source'] as const).map((kind) => [kind, kind]),
);

/**
 * Source of the format: https://docs.rs/symbolic-debuginfo/latest/symbolic_debuginfo/sourcebundle/
 * Throws Invalid when the archive is none, or its manifest names what it does not hold.
 */
export async function readManifest(archive: ZipArchive): Promise<BundleManifest> {
  if (!archive.entries.has(MANIFEST)) {
    throw invalid(`The archive has no ${MANIFEST}: upload it with sentry-cli or a bundler plugin`);
  }
  const manifest = parse(await archive.read(MANIFEST, MANIFEST_BYTES_MAX));
  const files: NewArtifactFile[] = [];
  let scriptBytes = 0;
  for (const [path, info] of Object.entries(recordOf(manifest.files))) {
    const file = toFile(archive, path, recordOf(info));
    const isSilent = file.kind === 'minified_source' && file.debugId === null && file.sourceMap === null;
    if (isSilent && file.bytes <= SCRIPT_BYTES_MAX && scriptBytes + file.bytes <= SCRIPTS_BYTES_MAX) {
      scriptBytes += file.bytes;
      files.push({ ...file, ...(await scanScriptComments(archive.pieces(path, SCRIPT_BYTES_MAX))) });
    } else files.push(file);
  }
  return {
    project: textOf(manifest.project),
    release: textOf(manifest.release),
    dist: textOf(manifest.dist),
    files,
  };
}

function toFile(archive: ZipArchive, path: string, info: Record<string, unknown>): NewArtifactFile {
  const entry = archive.entries.get(path);
  if (!entry) {
    throw invalid(
      `The manifest lists "${path.slice(0, 200)}", which is not in the archive: build the archive again`,
    );
  }
  const named = textOf(info.url);
  const headers = toHeaders(info.headers);
  return {
    kind: KINDS.get(info.type) ?? 'other',
    // Only its debug id leads to it.
    url: named === null ? '' : checkFileName(named),
    debugId: toDebugId(headers['debug-id']),
    path,
    bytes: entry.bytes,
    sourceMap: mapOf(headers),
    headers,
  };
}

/** The address of the map that headers of a script name; null for none. */
export function mapOf(headers: Readonly<Record<string, string>>): string | null {
  const address = MAP_HEADERS.map((name) => headers[name]).find(
    (value) => value !== undefined && value !== '',
  );
  if (address === undefined) return null;
  return address.startsWith('data:') ? 'data:' : address;
}

function parse(bytes: Buffer): Record<string, unknown> {
  try {
    return recordOf(parseBoundedJson(bytes.toString('utf8')));
  } catch {
    throw invalid(`The archive's ${MANIFEST} is not valid JSON`);
  }
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
