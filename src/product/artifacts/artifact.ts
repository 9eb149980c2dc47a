import type { Checksum } from '#storage/ports/artifact-files.ts';

export const ARTIFACT_FILE_KINDS = ['minified_source', 'source_map', 'source', 'other'] as const;
export type ArtifactFileKind = (typeof ARTIFACT_FILE_KINDS)[number];

/** A file of a bundle, before it is stored. */
export type NewArtifactFile = {
  kind: ArtifactFileKind;
  /** As the script was named at the upload: `~/assets/app.js`. Empty when only the debug id names it. */
  url: string;
  /** Lower case, with dashes; null when it has none. */
  debugId: string | null;
  /** Name within the archive; null for a file that was uploaded by itself. */
  path: string | null;
  bytes: number;
  /** What the script says of its map: relative to `url`, or whole; null when nothing is said. */
  sourceMap: string | null;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
};

export type ArtifactFile = NewArtifactFile & {
  id: number;
  bundleId: number;
  /** Of the bundle: where its bytes are. */
  checksum: Checksum;
};

/** `dist` is null for none. */
export type ArtifactRelease = { version: string; dist: string | null };

export type NewArtifactBundle = {
  /** A `release_file` is one file that was uploaded by itself, under a release. */
  kind: 'bundle' | 'release_file';
  checksum: Checksum;
  bytes: number;
  uploadedAt: number;
  /** Within the organization; never empty. */
  projectIds: readonly number[];
  releases: readonly ArtifactRelease[];
  files: readonly NewArtifactFile[];
};

export type ArtifactBundle = {
  id: number;
  kind: 'bundle' | 'release_file';
  checksum: Checksum;
  bytes: number;
  /** Milliseconds since the epoch, as all times here. */
  uploadedAt: number;
  /** Of the newest event that a file of it served; the upload's until there was one. */
  usedAt: number;
  projectIds: readonly number[];
  releases: readonly ArtifactRelease[];
  fileCount: number;
};

/** Opaque to callers: where the page before ended. */
export type ArtifactBundlePlace = { uploadedAt: number; id: number };

/** `proguard`: names of Java; `breakpad`: symbols of native code. */
export const DEBUG_FILE_KINDS = ['proguard', 'breakpad'] as const;
export type DebugFileKind = (typeof DEBUG_FILE_KINDS)[number];

/** What names the frames of a build: a mapping of Java, or the symbols of a program or a library. */
export type DeobfuscationFile = {
  id: number;
  projectId: number;
  kind: DebugFileKind;
  /** Lower case, with dashes; of symbols with the age in hex behind another one, unless it is 0. */
  debugId: string;
  /** Processor of the build: `x86_64`; null for mappings. */
  arch: string | null;
  checksum: Checksum;
  name: string;
  bytes: number;
  uploadedAt: number;
};
