import { type Kysely, type RawBuilder, sql } from 'kysely';
import { HOUR_MS } from '#lib/time.ts';
import type { ArtifactStore, Checksum } from '#storage/ports/artifacts.ts';
import { findUnneeded } from './artifact-chunks.ts';
import { notifyArtifacts } from './artifact-notices.ts';
import {
  BUNDLE_COLUMNS,
  type BundleRow,
  FILE_COLUMNS,
  type FileRow,
  toBundle,
  toFile,
} from './artifact-rows.ts';
import { joinArtifactBundle, saveArtifactBundle } from './save-artifact-bundle.ts';
import type { Database } from './schema.ts';
import { toStorableText } from './storable-json.ts';

/** `used_at` is only for telling what is out of use, and every event would renew it. */
const USED_EVERY_MS = HOUR_MS;

type Bundles = Pick<
  ArtifactStore,
  | 'findBundle'
  | 'findBundleById'
  | 'saveBundle'
  | 'joinBundle'
  | 'listBundles'
  | 'listFiles'
  | 'findFile'
  | 'findReleaseFiles'
  | 'updateReleaseFile'
  | 'deleteBundles'
  | 'deleteOfRelease'
  | 'forgetUnusedBundles'
  | 'touchBundles'
>;

export function createArtifactBundles(db: Kysely<Database>): Bundles {
  const readBundles = async (condition: RawBuilder<unknown>, limit: number) => {
    const { rows } = await sql<BundleRow>`
      SELECT ${BUNDLE_COLUMNS} FROM artifact_bundles b WHERE ${condition}
      ORDER BY b.uploaded_at DESC, b.id DESC LIMIT ${limit}`.execute(db);
    return rows.map(toBundle);
  };
  const readFiles = async (condition: RawBuilder<unknown>, limit: number) => {
    const { rows } = await sql<FileRow>`
      SELECT ${FILE_COLUMNS} FROM artifact_files f JOIN artifact_bundles b ON b.id = f.bundle_id
      WHERE ${condition} ORDER BY f.id LIMIT ${limit}`.execute(db);
    return rows.map(toFile);
  };

  return {
    async findBundle(organizationId, checksum) {
      const [bundle] = await readBundles(
        sql`b.organization_id = ${organizationId} AND b.checksum = decode(${checksum}, 'hex') AND b.kind = 'bundle'`,
        1,
      );
      return bundle ?? null;
    },

    async findBundleById(organizationId, projectIds, bundleId) {
      const [bundle] = await readBundles(
        sql`b.organization_id = ${organizationId} AND b.id = ${bundleId} AND ${ofProjects(projectIds)}`,
        1,
      );
      return bundle ?? null;
    },

    saveBundle: (organizationId, bundle) => saveArtifactBundle(db, organizationId, bundle),

    joinBundle: (organizationId, checksum, more) => joinArtifactBundle(db, organizationId, checksum, more),

    async listBundles(organizationId, projectIds, { kind, version, search, limit, after }) {
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

    async listFiles(organizationId, bundleId, { search, limit, afterId }) {
      return await readFiles(
        sql`f.organization_id = ${organizationId} AND f.bundle_id = ${bundleId}
          ${search === '' ? sql`` : sql`AND ${fileMatches(toStorableText(search))}`}
          ${afterId === null ? sql`` : sql`AND f.id > ${afterId}`}`,
        limit,
      );
    },

    async findFile(organizationId, bundleId, fileId) {
      const [file] = await readFiles(
        sql`f.organization_id = ${organizationId} AND f.bundle_id = ${bundleId} AND f.id = ${fileId}`,
        1,
      );
      return file ?? null;
    },

    async findReleaseFiles(organizationId, bundleIds) {
      return await readFiles(
        sql`f.organization_id = ${organizationId} AND f.bundle_id = ANY(${bundleIds}::bigint[])
          AND b.kind = 'release_file'`,
        bundleIds.length,
      );
    },

    async updateReleaseFile(organizationId, bundleId, { url, dist }) {
      return await db.transaction().execute(async (transaction) => {
        const { numAffectedRows } = await sql`
          UPDATE artifact_files SET url = ${toStorableText(url)} FROM artifact_bundles b
          WHERE b.id = bundle_id AND b.kind = 'release_file' AND b.organization_id = ${organizationId}
            AND b.id = ${bundleId}`.execute(transaction);
        if (numAffectedRows === 0n) return false;
        await sql`
          UPDATE artifact_bundle_releases SET dist = ${toStorableText(dist ?? '')}
          WHERE bundle_id = ${bundleId}`.execute(transaction);
        await notifyArtifacts(transaction, organizationId);
        return true;
      });
    },

    async deleteBundles(organizationId, bundleIds) {
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

    async deleteOfRelease(organizationId, { version, projectIds, visibleIds, limit }) {
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
          WHERE bundle_id = ANY(${ids}::bigint[]) AND version = ${toStorableText(version)}`.execute(
          transaction,
        );
        await sql`
          DELETE FROM artifact_bundles WHERE id = ANY(${ids}::bigint[])
            AND NOT EXISTS (SELECT FROM artifact_bundle_releases WHERE bundle_id = artifact_bundles.id)
          `.execute(transaction);
        await notifyArtifacts(transaction, organizationId);
        return ids.length;
      });
    },

    async forgetUnusedBundles(usedBefore, limit) {
      const before = new Date(usedBefore);
      return await db.transaction().execute(async (transaction) => {
        // One that is joined or renewed right now is locked, and in use.
        const { rows } = await sql<{ organization_id: number }>`
          DELETE FROM artifact_bundles WHERE id IN (
            SELECT id FROM artifact_bundles b
            WHERE (used_at < ${before} AND uploaded_at < ${before})
              OR NOT EXISTS (SELECT FROM artifact_bundle_projects WHERE bundle_id = b.id)
            ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED
          ) RETURNING organization_id`.execute(transaction);
        for (const organizationId of new Set(rows.map((row) => row.organization_id))) {
          await notifyArtifacts(transaction, organizationId);
        }
        return rows.length;
      });
    },

    async touchBundles(bundleIds, usedAt) {
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
