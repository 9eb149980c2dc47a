import { type Kysely, sql } from 'kysely';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableText } from '#storage/sql/storable-json.ts';
import type { ArtifactFile, ArtifactRelease } from '../artifact.ts';

const SIMILAR_MAX = 10;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What leads from an event to an uploaded file. */
export function createArtifactLookups(db: Kysely<Database>) {
  return {
    /** The newest file of each kind with the debug id that any of the projects may see. */
    async findByDebugId(
      organizationId: number,
      projectId: number,
      debugId: string,
    ): Promise<readonly ArtifactFile[]> {
      if (!UUID.test(debugId)) return [];
      return await query<ArtifactFile>`
        SELECT DISTINCT ON (f.kind) ${FILE_COLUMNS}
        FROM artifact_files f JOIN artifact_bundles b ON b.id = f.bundle_id
        JOIN artifact_bundle_projects p ON p.bundle_id = b.id
        WHERE f.organization_id = ${organizationId} AND f.debug_id = ${debugId}::uuid
          AND p.project_id = ${projectId}
        ORDER BY f.kind, b.uploaded_at DESC, f.id DESC`.execute(db);
    },

    /** Files of the release and dist with one of the names, newest upload first. `dist` null: without a dist. */
    findByUrl: (
      organizationId: number,
      projectId: number,
      release: ArtifactRelease,
      urls: readonly string[],
    ): Promise<readonly ArtifactFile[]> =>
      query<ArtifactFile>`
        SELECT ${FILE_COLUMNS} FROM ${filesOfRelease(organizationId, projectId, release.version)}
        WHERE ${hasDist(release)} AND f.url = ANY(${urls.map(toStorableText)}::text[])
        ORDER BY b.uploaded_at DESC, f.id DESC`.execute(db),

    /** The file of the bundle for each of the names that it has, in no order. */
    findInBundle: (
      organizationId: number,
      bundleId: number,
      urls: readonly string[],
    ): Promise<readonly ArtifactFile[]> =>
      query<ArtifactFile>`
        SELECT DISTINCT ON (f.url) ${FILE_COLUMNS}
        FROM artifact_files f JOIN artifact_bundles b ON b.id = f.bundle_id
        WHERE f.organization_id = ${organizationId} AND f.bundle_id = ${bundleId}
          AND f.url = ANY(${urls.map(toStorableText)}::text[])
        ORDER BY f.url, f.id`.execute(db),

    /** What was uploaded for a release: how many files under each dist; empty when nothing was. */
    async countFilesByDist(
      organizationId: number,
      projectId: number,
      version: string,
    ): Promise<readonly { dist: string | null; files: number }[]> {
      return await query<{ dist: string | null; files: number }>`
        SELECT nullif(r.dist, '') AS dist, count(*) AS files FROM ${filesOfRelease(organizationId, projectId, version)}
        GROUP BY r.dist ORDER BY r.dist`.execute(db);
    },

    /** Names of scripts of the release whose last part is the same, for "did you mean"; at most ten. */
    async findSimilarUrls(
      organizationId: number,
      projectId: number,
      release: ArtifactRelease,
      fileName: string,
    ): Promise<readonly string[]> {
      const name = toStorableText(fileName);
      const { rows } = await sql<{ url: string }>`
        SELECT DISTINCT f.url FROM ${filesOfRelease(organizationId, projectId, release.version)}
        WHERE ${hasDist(release)} AND f.kind = 'minified_source'
          AND right(concat('/', f.url), char_length(${name}) + 1) = concat('/', ${name}::text)
        ORDER BY f.url LIMIT ${SIMILAR_MAX}`.execute(db);
      return rows.map(({ url }) => url);
    },
  };
}

const filesOfRelease = (organizationId: number, projectId: number, version: string) => sql`
  artifact_bundle_releases r
  JOIN artifact_bundles b ON b.id = r.bundle_id
  JOIN artifact_bundle_projects p ON p.bundle_id = b.id AND p.project_id = ${projectId}
  JOIN artifact_files f
    ON f.bundle_id = b.id AND r.organization_id = ${organizationId} AND r.version = ${toStorableText(version)}`;

const hasDist = ({ dist }: ArtifactRelease) => sql`r.dist = ${toStorableText(dist ?? '')}`;

/** Of `artifact_bundles b`. */
export const BUNDLE_COLUMNS = sql`
  b.id, b.kind, encode(b.checksum, 'hex') AS checksum, b.bytes, b.uploaded_at, b.used_at,
  coalesce((SELECT json_agg(project_id ORDER BY project_id) FROM artifact_bundle_projects
    WHERE bundle_id = b.id), '[]') AS project_ids,
  coalesce((SELECT json_agg(json_build_object('version', version, 'dist', nullif(dist, '')) ORDER BY version, dist)
    FROM artifact_bundle_releases WHERE bundle_id = b.id), '[]') AS releases,
  (SELECT count(*) FROM artifact_files WHERE bundle_id = b.id) AS file_count`;

/** Of `artifact_files f` and `artifact_bundles b`. */
export const FILE_COLUMNS = sql`
  f.id, f.bundle_id, encode(b.checksum, 'hex') AS checksum, f.kind, f.url, f.debug_id, f.path, f.bytes, f.source_map,
  f.headers`;
