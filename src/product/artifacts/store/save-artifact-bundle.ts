import { type Kysely, sql, type Transaction } from 'kysely';
import { notFound } from '#lib/errors.ts';
import type { Checksum } from '#storage/ports/artifact-files.ts';
import { notifyArtifacts } from '#storage/sql/notices.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson, toStorableText } from '#storage/sql/storable-json.ts';
import type { ArtifactBundle, ArtifactRelease, NewArtifactBundle, NewArtifactFile } from '../artifact.ts';
import { BUNDLE_COLUMNS } from './artifact-lookups.ts';

/** Keeps one parameter of a statement far below what a message may hold. */
const FILES_PER_STATEMENT = 2_000;

/** The same archive at the same time waits for the other's row, and joins what it made. */
export async function saveArtifactBundle(
  db: Kysely<Database>,
  organizationId: number,
  bundle: NewArtifactBundle,
): Promise<ArtifactBundle> {
  return await db.transaction().execute(async (transaction) => {
    if (bundle.kind === 'release_file') await takePlace(transaction, organizationId, bundle);
    const { id, isNew } = await insertBundle(transaction, organizationId, bundle);
    await joinProjects(transaction, organizationId, id, bundle.projectIds);
    await joinReleases(transaction, organizationId, id, bundle.releases);
    if (isNew) await insertFiles(transaction, organizationId, id, bundle.files);
    await notifyArtifacts(transaction, organizationId);
    return await readBundle(transaction, id);
  });
}

/** null when the organization has no such bundle. */
export async function joinArtifactBundle(
  db: Kysely<Database>,
  organizationId: number,
  checksum: Checksum,
  more: Pick<NewArtifactBundle, 'projectIds' | 'releases' | 'uploadedAt'>,
): Promise<ArtifactBundle | null> {
  return await db.transaction().execute(async (transaction) => {
    const row = await query<{ id: number }>`
      UPDATE artifact_bundles SET uploaded_at = greatest(uploaded_at, ${new Date(more.uploadedAt)})
      WHERE organization_id = ${organizationId} AND checksum = decode(${checksum}, 'hex') AND kind = 'bundle'
      RETURNING id`.first(transaction);
    if (!row) return null;
    await joinProjects(transaction, organizationId, row.id, more.projectIds);
    await joinReleases(transaction, organizationId, row.id, more.releases);
    await notifyArtifacts(transaction, organizationId);
    return await readBundle(transaction, row.id);
  });
}

async function readBundle(transaction: Transaction<Database>, id: number): Promise<ArtifactBundle> {
  const bundle = await query<ArtifactBundle>`
    SELECT ${BUNDLE_COLUMNS} FROM artifact_bundles b WHERE b.id = ${id}`.first(transaction);
  if (!bundle) throw new Error(`The bundle ${id} disappeared during its transaction`);
  return bundle;
}

async function insertBundle(
  transaction: Transaction<Database>,
  organizationId: number,
  { kind, checksum, bytes, uploadedAt }: NewArtifactBundle,
): Promise<{ id: number; isNew: boolean }> {
  const at = new Date(uploadedAt);
  const row = await query<{ id: number; isNew: boolean }>`
    INSERT INTO artifact_bundles (organization_id, kind, checksum, bytes, uploaded_at, used_at)
    VALUES (${organizationId}, ${kind}, decode(${checksum}, 'hex'), ${bytes}, ${at}, ${at})
    ON CONFLICT (organization_id, checksum) WHERE kind = 'bundle'
      DO UPDATE SET uploaded_at = greatest(artifact_bundles.uploaded_at, excluded.uploaded_at)
    RETURNING id, xmax = 0 AS is_new`.first(transaction);
  if (!row) throw new Error('Inserting a bundle returned no row');
  return row;
}

/** Throws NotFound when the organization has none of the projects any more. */
async function joinProjects(
  transaction: Transaction<Database>,
  organizationId: number,
  bundleId: number,
  projectIds: readonly number[],
): Promise<void> {
  const { rows } = await sql`
    SELECT FROM projects WHERE organization_id = ${organizationId} AND id = ANY(${projectIds}::bigint[])
    ORDER BY id FOR KEY SHARE`.execute(transaction);
  if (rows.length === 0) throw notFound('The projects of the upload no longer exist: check their slugs');
  await sql`
    INSERT INTO artifact_bundle_projects (bundle_id, project_id)
    SELECT ${bundleId}, id FROM projects
    WHERE organization_id = ${organizationId} AND id = ANY(${projectIds}::bigint[])
    ON CONFLICT DO NOTHING`.execute(transaction);
}

async function joinReleases(
  transaction: Transaction<Database>,
  organizationId: number,
  bundleId: number,
  releases: readonly ArtifactRelease[],
): Promise<void> {
  for (const { version, dist } of releases) {
    await sql`
      INSERT INTO artifact_bundle_releases (bundle_id, organization_id, version, dist)
      VALUES (${bundleId}, ${organizationId}, ${toStorableText(version)}, ${toStorableText(dist ?? '')})
      ON CONFLICT DO NOTHING`.execute(transaction);
  }
}

async function insertFiles(
  transaction: Transaction<Database>,
  organizationId: number,
  bundleId: number,
  files: readonly NewArtifactFile[],
): Promise<void> {
  for (let start = 0; start < files.length; start += FILES_PER_STATEMENT) {
    const rows = files.slice(start, start + FILES_PER_STATEMENT).map((file) => ({
      kind: file.kind,
      url: file.url,
      debug_id: file.debugId,
      path: file.path,
      bytes: file.bytes,
      source_map: file.sourceMap,
      headers: file.headers,
    }));
    await sql`
      INSERT INTO artifact_files (bundle_id, organization_id, kind, url, debug_id, path, bytes, source_map, headers)
      SELECT ${bundleId}, ${organizationId}, kind, url, debug_id, path, bytes, source_map, headers
      FROM json_to_recordset(${toStorableJson(rows)}::json) AS file (
        kind text, url text, debug_id uuid, path text, bytes bigint, source_map text, headers jsonb)
      `.execute(transaction);
  }
}

/** Of the projects, the file with the same name, release and dist makes room. */
async function takePlace(
  transaction: Transaction<Database>,
  organizationId: number,
  { files, releases, projectIds }: NewArtifactBundle,
): Promise<void> {
  const [file] = files;
  const [release] = releases;
  if (!file || !release) throw new Error('A release file needs exactly one file and one release');
  const url = toStorableText(file.url);
  const version = toStorableText(release.version);
  const dist = toStorableText(release.dist ?? '');
  // Two uploads of the same name at once: the later one waits, and finds the other's row.
  const place = JSON.stringify(['release_file', organizationId, version, dist, url]);
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${place}, 0))`.execute(transaction);
  const same = sql`
    SELECT b.id FROM artifact_bundles b
    JOIN artifact_files f ON f.bundle_id = b.id
    JOIN artifact_bundle_releases r ON r.bundle_id = b.id
    WHERE r.organization_id = ${organizationId} AND r.version = ${version} AND r.dist = ${dist}
      AND b.kind = 'release_file' AND f.url = ${url}`;
  await sql`
    DELETE FROM artifact_bundle_projects
    WHERE bundle_id IN (${same}) AND project_id = ANY(${projectIds}::bigint[])`.execute(transaction);
  await sql`
    DELETE FROM artifact_bundles WHERE id IN (${same})
      AND NOT EXISTS (SELECT FROM artifact_bundle_projects WHERE bundle_id = artifact_bundles.id)
    `.execute(transaction);
}
