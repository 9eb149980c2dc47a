import { sql } from 'kysely';
import type {
  ArtifactBundle,
  ArtifactFile,
  ArtifactFileKind,
  ArtifactRelease,
  Checksum,
} from '#storage/ports/artifacts.ts';

/** Of `artifact_bundles b`. */
export const BUNDLE_COLUMNS = sql`
  b.id, b.kind, encode(b.checksum, 'hex') AS checksum, b.bytes, b.uploaded_at, b.used_at,
  coalesce((SELECT json_agg(project_id ORDER BY project_id) FROM artifact_bundle_projects
    WHERE bundle_id = b.id), '[]') AS project_ids,
  coalesce((SELECT json_agg(json_build_object('version', version, 'dist', nullif(dist, '')) ORDER BY version, dist)
    FROM artifact_bundle_releases WHERE bundle_id = b.id), '[]') AS releases,
  (SELECT count(*) FROM artifact_files WHERE bundle_id = b.id) AS file_count`;

export type BundleRow = {
  id: number;
  kind: ArtifactBundle['kind'];
  checksum: Checksum;
  bytes: number;
  uploaded_at: Date;
  used_at: Date;
  project_ids: number[];
  releases: ArtifactRelease[];
  file_count: number;
};

export const toBundle = (row: BundleRow): ArtifactBundle => ({
  id: row.id,
  kind: row.kind,
  checksum: row.checksum,
  bytes: row.bytes,
  uploadedAt: row.uploaded_at.getTime(),
  usedAt: row.used_at.getTime(),
  projectIds: row.project_ids,
  releases: row.releases,
  fileCount: row.file_count,
});

/** Of `artifact_files f` and `artifact_bundles b`. */
export const FILE_COLUMNS = sql`
  f.id, f.bundle_id, encode(b.checksum, 'hex') AS checksum, f.kind, f.url, f.debug_id, f.path, f.bytes, f.source_map,
  f.headers`;

export type FileRow = {
  id: number;
  bundle_id: number;
  checksum: Checksum;
  kind: ArtifactFileKind;
  url: string;
  debug_id: string | null;
  path: string | null;
  bytes: number;
  source_map: string | null;
  headers: Record<string, string>;
};

export const toFile = (row: FileRow): ArtifactFile => ({
  id: row.id,
  bundleId: row.bundle_id,
  checksum: row.checksum,
  kind: row.kind,
  url: row.url,
  debugId: row.debug_id,
  path: row.path,
  bytes: row.bytes,
  sourceMap: row.source_map,
  headers: row.headers,
});
