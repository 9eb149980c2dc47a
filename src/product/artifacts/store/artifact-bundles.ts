import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Checksum } from '#storage/ports/artifact-files.ts';
import { notifyArtifacts } from '#storage/sql/notices.ts';
import { affectedRows, query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableText } from '#storage/sql/storable-json.ts';
import type {
  ArtifactBundle,
  ArtifactBundlePlace,
  ArtifactFile,
  ArtifactRelease,
  NewArtifactBundle,
} from '../artifact.ts';
import { BUNDLE_COLUMNS, FILE_COLUMNS } from './artifact-lookups.ts';
import { joinArtifactBundle, saveArtifactBundle } from './save-artifact-bundle.ts';

/** `used_at` is only for telling what is out of use, and every event would renew it. */
const USED_EVERY_MS = 60 * 60 * 1000;

export function createArtifactBundles(db: Kysely<Database>) {
  const readBundles = async (condition: RawBuilder<unknown>, limit: number) => {
    return await query<ArtifactBundle>`
      SELECT ${BUNDLE_COLUMNS} FROM artifact_bundles b WHERE ${condition}
      ORDER BY b.uploaded_at DESC, b.id DESC LIMIT ${limit}`.execute(db);
  };
  const readFiles = async (condition: RawBuilder<unknown>, limit: number) => {
    return await query<ArtifactFile>`
      SELECT ${FILE_COLUMNS} FROM artifact_files f JOIN artifact_bundles b ON b.id = f.bundle_id
      WHERE ${condition} ORDER BY f.id LIMIT ${limit}`.execute(db);
  };

  return {
    /** null when the archive was never uploaded. Only `bundle`s are found by checksum. */
    async findBundle(organizationId: number, checksum: Checksum): Promise<ArtifactBundle | null> {
      const [bundle] = await readBundles(
        sql`b.organization_id = ${organizationId} AND b.checksum = decode(${checksum}, 'hex') AND b.kind = 'bundle'`,
        1,
      );
      return bundle ?? null;
    },

    async findBundleById(
      organizationId: number,
      projectIds: readonly number[],
      bundleId: number,
    ): Promise<ArtifactBundle | null> {
      const [bundle] = await readBundles(
        sql`b.organization_id = ${organizationId} AND b.id = ${bundleId} AND ${ofProjects(projectIds)}`,
        1,
      );
      return bundle ?? null;
    },

    /** One transaction, notifies digest. A known `bundle` gains projects and releases; a `release_file` is replaced. */
    saveBundle: (organizationId: number, bundle: NewArtifactBundle): Promise<ArtifactBundle> =>
      saveArtifactBundle(db, organizationId, bundle),

    /** Gives a bundle more projects and releases; tells digest. null when it is not there. */
    joinBundle: (
      organizationId: number,
      checksum: Checksum,
      more: { projectIds: readonly number[]; releases: readonly ArtifactRelease[]; uploadedAt: number },
    ): Promise<ArtifactBundle | null> => joinArtifactBundle(db, organizationId, checksum, more),

    /** Newest first; of any of the projects. `version` null for any; `search` keeps what has a file or release like it. */
    async listBundles(
      organizationId: number,
      projectIds: readonly number[],
      {
        kind,
        version,
        search,
        limit,
        after,
      }: {
        kind: 'bundle' | 'release_file' | null;
        version: string | null;
        search: string;
        limit: number;
        after: ArtifactBundlePlace | null;
      },
    ): Promise<{ bundles: readonly ArtifactBundle[]; next: ArtifactBundlePlace | null }> {
      const bundles = await readBundles(
        sql`b.organization_id = ${organizationId} AND ${ofProjects(projectIds)}
          ${kind === null ? sql`` : sql`AND b.kind = ${kind}`}
          ${version === null ? sql`` : sql`AND ${ofRelease(version)}`}
          ${search === '' ? sql`` : sql`AND ${matches(toStorableText(search))}`}
          ${after ? sql`AND (b.uploaded_at, b.id) < (${new Date(after.uploadedAt)}, ${after.id})` : sql``}`,
        limit + 1,
      );
      const page = bundles.slice(0, limit);
      const last = bundles.length > limit ? page.at(-1) : undefined;
      return { bundles: page, next: last ? { uploadedAt: last.uploadedAt, id: last.id } : null };
    },

    /** By name, then id. */
    async listFiles(
      organizationId: number,
      bundleId: number,
      { search, limit, afterId }: { search: string; limit: number; afterId: number | null },
    ): Promise<readonly ArtifactFile[]> {
      return await readFiles(
        sql`f.organization_id = ${organizationId} AND f.bundle_id = ${bundleId}
          ${search === '' ? sql`` : sql`AND ${fileMatches(toStorableText(search))}`}
          ${afterId === null ? sql`` : sql`AND f.id > ${afterId}`}`,
        limit,
      );
    },

    /** null when the bundle has no such file. */
    async findFile(organizationId: number, bundleId: number, fileId: number): Promise<ArtifactFile | null> {
      const [file] = await readFiles(
        sql`f.organization_id = ${organizationId} AND f.bundle_id = ${bundleId} AND f.id = ${fileId}`,
        1,
      );
      return file ?? null;
    },

    /** The one file of each `release_file`, in no order. */
    async findReleaseFiles(
      organizationId: number,
      bundleIds: readonly number[],
    ): Promise<readonly ArtifactFile[]> {
      return await readFiles(
        sql`f.organization_id = ${organizationId} AND f.bundle_id = ANY(${bundleIds}::bigint[])
          AND b.kind = 'release_file'`,
        bundleIds.length,
      );
    },

    /** Renames a `release_file`, or gives it another dist; tells digest. False when it is not there. */
    async updateReleaseFile(
      organizationId: number,
      bundleId: number,
      { url, dist }: { url: string; dist: string | null },
    ): Promise<boolean> {
      return await db.transaction().execute(async (transaction) => {
        const renamed = await affectedRows`
          UPDATE artifact_files SET url = ${toStorableText(url)} FROM artifact_bundles b
          WHERE b.id = bundle_id AND b.kind = 'release_file' AND b.organization_id = ${organizationId}
            AND b.id = ${bundleId}`.execute(transaction);
        if (renamed === 0) return false;
        await sql`
          UPDATE artifact_bundle_releases SET dist = ${toStorableText(dist ?? '')}
          WHERE bundle_id = ${bundleId}`.execute(transaction);
        await notifyArtifacts(transaction, organizationId);
        return true;
      });
    },

    /** Answers whose bytes nobody needs any more; tells digest. Those that are not there are no error. */
    async deleteBundles(organizationId: number, bundleIds: readonly number[]): Promise<readonly Checksum[]> {
      return await db.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ checksum: Checksum }>`
          DELETE FROM artifact_bundles
          WHERE organization_id = ${organizationId} AND id = ANY(${bundleIds}::bigint[])
          RETURNING encode(checksum, 'hex') AS checksum`.execute(transaction);
        if (rows.length === 0) return [];
        await notifyArtifacts(transaction, organizationId);
        return await findUnneeded(
          transaction,
          organizationId,
          rows.map(({ checksum }) => checksum),
        );
      });
    },

    /** Removes a release from up to `limit` uploads without hidden projects; notifies digest. Returns how many. */
    async deleteOfRelease(
      organizationId: number,
      {
        version,
        projectIds,
        visibleIds,
        limit,
      }: {
        version: string;
        projectIds: readonly number[];
        visibleIds: readonly number[];
        limit: number;
      },
    ): Promise<number> {
      return await db.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ id: number }>`
          SELECT b.id FROM artifact_bundles b
          WHERE b.organization_id = ${organizationId} AND ${ofProjects(projectIds)} AND ${ofRelease(version)}
            AND NOT EXISTS (SELECT FROM artifact_bundle_projects
              WHERE bundle_id = b.id AND project_id <> ALL(${visibleIds}::bigint[]))
          ORDER BY b.id LIMIT ${limit} FOR UPDATE`.execute(transaction);
        if (rows.length === 0) return 0;
        const ids = rows.map(({ id }) => id);
        await sql`
          DELETE FROM artifact_bundle_releases
          WHERE bundle_id = ANY(${ids}::bigint[]) AND version = ${toStorableText(version)}
        `.execute(transaction);
        await sql`
          DELETE FROM artifact_bundles WHERE id = ANY(${ids}::bigint[])
            AND NOT EXISTS (SELECT FROM artifact_bundle_releases WHERE bundle_id = artifact_bundles.id)
          `.execute(transaction);
        await notifyArtifacts(transaction, organizationId);
        return ids.length;
      });
    },

    /** Deletes up to `limit` unused or orphaned bundles of all organizations; notifies digest. Returns how many. */
    async forgetUnusedBundles(usedBefore: number, limit: number): Promise<number> {
      const before = new Date(usedBefore);
      return await db.transaction().execute(async (transaction) => {
        // One that is joined or renewed right now is locked, and in use.
        const rows = await query<{ organizationId: number }>`
          DELETE FROM artifact_bundles WHERE id IN (
            SELECT id FROM artifact_bundles b
            WHERE (used_at < ${before} AND uploaded_at < ${before})
              OR NOT EXISTS (SELECT FROM artifact_bundle_projects WHERE bundle_id = b.id)
            ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED
          ) RETURNING organization_id`.execute(transaction);
        for (const organizationId of new Set(rows.map((row) => row.organizationId))) {
          await notifyArtifacts(transaction, organizationId);
        }
        return rows.length;
      });
    },

    /** Notes the first use since the upload, and then one where the last is more than an hour old. */
    async touchBundles(bundleIds: readonly number[], usedAt: number): Promise<void> {
      if (bundleIds.length === 0) return;
      await sql`
        UPDATE artifact_bundles SET used_at = ${new Date(usedAt)}
        WHERE id = ANY(${bundleIds}::bigint[])
          AND (used_at = uploaded_at OR used_at < ${new Date(usedAt - USED_EVERY_MS)})`.execute(db);
    },
  };
}

const ofProjects = (projectIds: readonly number[]) => sql`EXISTS (
  SELECT FROM artifact_bundle_projects WHERE bundle_id = b.id AND project_id = ANY(${projectIds}::bigint[]))`;

const ofRelease = (version: string) => sql`EXISTS (
  SELECT FROM artifact_bundle_releases WHERE bundle_id = b.id AND version = ${toStorableText(version)})`;

const matches = (search: string) => sql`(
  EXISTS (SELECT FROM artifact_bundle_releases WHERE bundle_id = b.id
    AND position(lower(${search}) IN lower(version)) > 0)
  OR EXISTS (SELECT FROM artifact_files f WHERE f.bundle_id = b.id AND ${fileMatches(search)}))`;

/** People paste debug ids with and without dashes. */
const fileMatches = (search: string) => sql`(
  position(lower(${search}) IN lower(f.url)) > 0
  OR replace(f.debug_id::text, '-', '') = replace(lower(${search}), '-', ''))`;

export function createArtifactChunks(db: Kysely<Database>) {
  return {
    /** Those that are there and younger than `uploadedAfter`. */
    async findChunks(
      organizationId: number,
      checksums: readonly Checksum[],
      uploadedAfter: number,
    ): Promise<ReadonlySet<Checksum>> {
      const { rows } = await sql<{ checksum: Checksum }>`
        SELECT encode(checksum, 'hex') AS checksum FROM upload_chunks
        WHERE organization_id = ${organizationId} AND checksum = ANY(${bytesOf(checksums)}::bytea[])
          AND uploaded_at > ${new Date(uploadedAfter)}`.execute(db);
      return new Set(rows.map(({ checksum }) => checksum));
    },

    /** One that comes again is as young as the newest. */
    async rememberChunk(
      organizationId: number,
      checksum: Checksum,
      bytes: number,
      uploadedAt: number,
    ): Promise<void> {
      await sql`
        INSERT INTO upload_chunks (organization_id, checksum, bytes, uploaded_at)
        VALUES (${organizationId}, decode(${checksum}, 'hex'), ${bytes}, ${new Date(uploadedAt)})
        ON CONFLICT (organization_id, checksum) DO UPDATE
          SET uploaded_at = greatest(upload_chunks.uploaded_at, excluded.uploaded_at)`.execute(db);
    },

    /** Forgets at most `limit` chunks that are older; answers how many. */
    forgetChunks: (uploadedBefore: number, limit: number): Promise<number> =>
      affectedRows`
        DELETE FROM upload_chunks WHERE (organization_id, checksum) IN (
          SELECT organization_id, checksum FROM upload_chunks WHERE uploaded_at < ${new Date(uploadedBefore)}
          ORDER BY uploaded_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
        )`.execute(db),

    /** Of those given, the ones that no bundle, file or chunk needs. */
    findUnneeded: (organizationId: number, checksums: readonly Checksum[]): Promise<readonly Checksum[]> =>
      findUnneeded(db, organizationId, checksums),

    /** Bytes of all uploads of the organization; what stands under several names counts once. */
    async sumBytes(organizationId: number): Promise<number> {
      const sum = await query<{ bytes: number }>`
        SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM (
          SELECT checksum, bytes FROM upload_chunks WHERE organization_id = ${organizationId}
          UNION SELECT checksum, bytes FROM artifact_bundles WHERE organization_id = ${organizationId}
          UNION SELECT checksum, bytes FROM deobfuscation_files WHERE organization_id = ${organizationId}
        ) AS uploads`.first(db);
      return sum?.bytes ?? 0;
    },
  };
}

/** Of those given, the ones whose bytes no row needs. */
export async function findUnneeded(
  db: Kysely<Database>,
  organizationId: number,
  checksums: readonly Checksum[],
): Promise<readonly Checksum[]> {
  if (checksums.length === 0) return [];
  const { rows } = await sql<{ checksum: Checksum }>`
    SELECT encode(asked, 'hex') AS checksum FROM unnest(${bytesOf([...new Set(checksums)])}::bytea[]) AS asked
    WHERE NOT EXISTS (SELECT FROM upload_chunks WHERE organization_id = ${organizationId} AND checksum = asked)
      AND NOT EXISTS (SELECT FROM artifact_bundles WHERE organization_id = ${organizationId} AND checksum = asked)
      AND NOT EXISTS (
        SELECT FROM deobfuscation_files WHERE organization_id = ${organizationId} AND checksum = asked)
    `.execute(db);
  return rows.map(({ checksum }) => checksum);
}

/** As PostgreSQL writes bytes in a list. */
export const bytesOf = (checksums: readonly Checksum[]): readonly string[] =>
  checksums.map((checksum) => `\\x${checksum}`);
