/** SHA-1 in lower-case hex, which is what the clients of the upload protocol name bytes by. */
export type Checksum = string;

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

export type DeobfuscationFile = {
  id: number;
  projectId: number;
  /** Lower case, with dashes. */
  debugId: string;
  checksum: Checksum;
  name: string;
  bytes: number;
  uploadedAt: number;
};

/** What is known of uploaded files. Source: PostgreSQL. Every call is scoped by organization. */
export interface ArtifactStore {
  /** Those that are there and younger than `uploadedAfter`. */
  findChunks(
    organizationId: number,
    checksums: readonly Checksum[],
    uploadedAfter: number,
  ): Promise<ReadonlySet<Checksum>>;
  /** One that comes again is as young as the newest. */
  rememberChunk(organizationId: number, checksum: Checksum, bytes: number, uploadedAt: number): Promise<void>;
  /** Forgets at most `limit` chunks that are older; answers how many. */
  forgetChunks(uploadedBefore: number, limit: number): Promise<number>;

  /** null when the archive was never uploaded. Only `bundle`s are found by checksum. */
  findBundle(organizationId: number, checksum: Checksum): Promise<ArtifactBundle | null>;
  /**
   * One transaction; tells digest that files came. A `bundle` of the same checksum is the one that there is: its
   * projects and releases are joined. A `release_file` takes the place of the one with the same name, release and dist.
   */
  saveBundle(organizationId: number, bundle: NewArtifactBundle): Promise<ArtifactBundle>;
  /** Gives a bundle more projects and releases; tells digest. null when it is not there. */
  joinBundle(
    organizationId: number,
    checksum: Checksum,
    more: { projectIds: readonly number[]; releases: readonly ArtifactRelease[]; uploadedAt: number },
  ): Promise<ArtifactBundle | null>;
  /** Newest first; of any of the projects. `version` null for any; `search` keeps what has a file or release like it. */
  listBundles(
    organizationId: number,
    projectIds: readonly number[],
    options: {
      kind: 'bundle' | 'release_file' | null;
      version: string | null;
      search: string;
      limit: number;
      after: ArtifactBundlePlace | null;
    },
  ): Promise<{ bundles: readonly ArtifactBundle[]; next: ArtifactBundlePlace | null }>;
  findBundleById(
    organizationId: number,
    projectIds: readonly number[],
    bundleId: number,
  ): Promise<ArtifactBundle | null>;
  /** By name, then id. */
  listFiles(
    organizationId: number,
    bundleId: number,
    options: { search: string; limit: number; afterId: number | null },
  ): Promise<readonly ArtifactFile[]>;
  /** null when the bundle has no such file. */
  findFile(organizationId: number, bundleId: number, fileId: number): Promise<ArtifactFile | null>;
  /** The one file of each `release_file`, in no order. */
  findReleaseFiles(organizationId: number, bundleIds: readonly number[]): Promise<readonly ArtifactFile[]>;
  /** Renames a `release_file`, or gives it another dist; tells digest. False when it is not there. */
  updateReleaseFile(
    organizationId: number,
    bundleId: number,
    change: { url: string; dist: string | null },
  ): Promise<boolean>;
  /** Answers whose bytes nobody needs any more; tells digest. Those that are not there are no error. */
  deleteBundles(organizationId: number, bundleIds: readonly number[]): Promise<readonly Checksum[]>;
  /**
   * Takes a release from at most `limit` uploads of any of the projects, but of none that are not visible; uploads that
   * stood for no other release go; tells digest. Answers how many uploads it took the release from.
   */
  deleteOfRelease(
    organizationId: number,
    options: {
      version: string;
      projectIds: readonly number[];
      visibleIds: readonly number[];
      limit: number;
    },
  ): Promise<number>;
  /**
   * Deletes at most `limit` bundles, over all organizations, that were neither used nor uploaded since then, or that no
   * project has any more; tells digest. Answers how many.
   */
  forgetUnusedBundles(usedBefore: number, limit: number): Promise<number>;

  /** The newest file of each kind with the debug id that any of the projects may see. */
  findByDebugId(organizationId: number, projectId: number, debugId: string): Promise<readonly ArtifactFile[]>;
  /**
   * Files of the release and the dist that have one of the names, the newest upload first. `dist` null: those uploaded
   * without one.
   */
  findByUrl(
    organizationId: number,
    projectId: number,
    release: ArtifactRelease,
    urls: readonly string[],
  ): Promise<readonly ArtifactFile[]>;
  /** The file of the bundle for each of the names that it has, in no order. */
  findInBundle(
    organizationId: number,
    bundleId: number,
    urls: readonly string[],
  ): Promise<readonly ArtifactFile[]>;
  /** What was uploaded for a release: how many files under each dist; empty when nothing was. */
  countFilesByDist(
    organizationId: number,
    projectId: number,
    version: string,
  ): Promise<readonly { dist: string | null; files: number }[]>;
  /** Names of scripts of the release whose last part is the same, for "did you mean"; at most ten. */
  findSimilarUrls(
    organizationId: number,
    projectId: number,
    release: ArtifactRelease,
    fileName: string,
  ): Promise<readonly string[]>;
  /** Notes the first use since the upload, and then one where the last is more than an hour old. */
  touchBundles(bundleIds: readonly number[], usedAt: number): Promise<void>;

  /** The same file again is the one that there is; tells digest. */
  saveDeobfuscationFile(
    organizationId: number,
    file: Omit<DeobfuscationFile, 'id'>,
  ): Promise<DeobfuscationFile>;
  /** The newest with the debug id; null when there is none. */
  findDeobfuscationFile(
    organizationId: number,
    projectId: number,
    debugId: string,
  ): Promise<DeobfuscationFile | null>;
  findDeobfuscationFileByChecksum(
    organizationId: number,
    projectId: number,
    checksum: Checksum,
  ): Promise<DeobfuscationFile | null>;
  findDeobfuscationFileById(
    organizationId: number,
    projectId: number,
    id: number,
  ): Promise<DeobfuscationFile | null>;
  /** By id; `search` looks in names and debug ids. */
  listDeobfuscationFiles(
    organizationId: number,
    projectId: number,
    options: { search: string; limit: number; afterId: number | null },
  ): Promise<readonly DeobfuscationFile[]>;
  /** Answers the bytes that nobody needs any more. */
  deleteDeobfuscationFile(
    organizationId: number,
    projectId: number,
    id: number,
  ): Promise<readonly Checksum[]>;
  /** Notes the first use since the upload, and then one where the last is more than an hour old. */
  touchDeobfuscationFiles(ids: readonly number[], usedAt: number): Promise<void>;
  /** Forgets at most `limit` that were neither used nor uploaded since then; answers how many. */
  forgetUnusedDeobfuscationFiles(usedBefore: number, limit: number): Promise<number>;
  /** Of those given, the ones that no bundle, file or chunk needs. */
  findUnneeded(organizationId: number, checksums: readonly Checksum[]): Promise<readonly Checksum[]>;
  /** Bytes of all uploads of the organization; what stands under several names counts once. */
  sumBytes(organizationId: number): Promise<number>;
}
