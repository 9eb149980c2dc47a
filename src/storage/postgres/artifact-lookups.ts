import { type Kysely, sql } from 'kysely';
import type { ArtifactRelease, ArtifactStore } from '#storage/ports/artifacts.ts';
import { FILE_COLUMNS, type FileRow, toFile } from './artifact-rows.ts';
import type { Database } from './schema.ts';
import { toStorableText } from './storable-json.ts';

const SIMILAR_MAX = 10;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Lookups = Pick<
  ArtifactStore,
  'findByDebugId' | 'findByUrl' | 'findInBundle' | 'countFilesByDist' | 'findSimilarUrls'
>;

/** What leads from an event to an uploaded file. */
export function createArtifactLookups(db: Kysely<Database>): Lookups {
  return {
    async findByDebugId(organizationId, projectId, debugId) {
      if (!UUID.test(debugId)) return [];
      const { rows } = await sql<FileRow>`
        SELECT DISTINCT ON (f.kind) ${FILE_COLUMNS}
        FROM artifact_files f JOIN artifact_bundles b ON b.id = f.bundle_id
        JOIN artifact_bundle_projects p ON p.bundle_id = b.id
        WHERE f.organization_id = ${organizationId} AND f.debug_id = ${debugId}::uuid
          AND p.project_id = ${projectId}
        ORDER BY f.kind, b.uploaded_at DESC, f.id DESC`.execute(db);
      return rows.map(toFile);
    },

    async findByUrl(organizationId, projectId, release, urls) {
      const { rows } = await sql<FileRow>`
        SELECT ${FILE_COLUMNS} FROM ${filesOfRelease(organizationId, projectId, release.version)}
        WHERE ${hasDist(release)} AND f.url = ANY(${urls.map(toStorableText)}::text[])
        ORDER BY b.uploaded_at DESC, f.id DESC`.execute(db);
      return rows.map(toFile);
    },

    async findInBundle(organizationId, bundleId, urls) {
      const { rows } = await sql<FileRow>`
        SELECT DISTINCT ON (f.url) ${FILE_COLUMNS}
        FROM artifact_files f JOIN artifact_bundles b ON b.id = f.bundle_id
        WHERE f.organization_id = ${organizationId} AND f.bundle_id = ${bundleId}
          AND f.url = ANY(${urls.map(toStorableText)}::text[])
        ORDER BY f.url, f.id`.execute(db);
      return rows.map(toFile);
    },

    async countFilesByDist(organizationId, projectId, version) {
      const { rows } = await sql<{ dist: string; files: number }>`
        SELECT r.dist, count(*) AS files FROM ${filesOfRelease(organizationId, projectId, version)}
        GROUP BY r.dist ORDER BY r.dist`.execute(db);
      return rows.map(({ dist, files }) => ({ dist: dist === '' ? null : dist, files }));
    },

    async findSimilarUrls(organizationId, projectId, release, fileName) {
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
