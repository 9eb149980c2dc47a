import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { ReleaseChange, ReleaseChangeStore } from '#storage/ports/releases.ts';
import { describeReleases } from './release-facts.ts';
import { releaseParts } from './release-parts.ts';
import { RELEASE, type ReleaseRow, seenIn, toRelease } from './release-row.ts';
import type { Database } from './schema.ts';
import { toStorableText } from './storable-json.ts';

export const createReleaseChanges = (db: Kysely<Database>): ReleaseChangeStore => ({
  async save(organizationId, { version, projectIds, change }, atMs) {
    return await db.transaction().execute(async (transaction) => {
      const { releaseId, isNew } = await writeRelease(transaction, organizationId, version, atMs);
      await writeChange(transaction, organizationId, releaseId, change);
      const { rows } = await sql<{ project_id: number }>`
        INSERT INTO release_projects (release_id, project_id, first_seen)
        SELECT ${releaseId}, id, ${new Date(atMs)} FROM projects
        WHERE organization_id = ${organizationId} AND id = ANY(${projectIds}::bigint[])
        ORDER BY id FOR KEY SHARE
        ON CONFLICT DO NOTHING RETURNING project_id`.execute(transaction);
      return { releaseId, isNew, newProjectIds: rows.map((row) => row.project_id) };
    });
  },

  async change(organizationId, releaseId, change) {
    return await writeChange(db, organizationId, releaseId, change);
  },

  async listProjectIds(organizationId, releaseId) {
    const { rows } = await sql<{ project_id: number }>`
      SELECT project_id FROM release_projects JOIN releases ON releases.id = release_projects.release_id
      WHERE releases.organization_id = ${organizationId} AND release_id = ${releaseId}
      ORDER BY project_id`.execute(db);
    return rows.map((row) => row.project_id);
  },

  async countIssues(organizationId, releaseId) {
    const { rows } = await sql<{ issues: number }>`
      SELECT count(*) AS issues FROM issue_releases JOIN releases ON releases.id = issue_releases.release_id
      WHERE releases.organization_id = ${organizationId} AND releases.id = ${releaseId}`.execute(db);
    return Number(rows[0]?.issues ?? 0);
  },

  async countResolvedIn(organizationId, releaseId) {
    const { rows } = await sql<{ issues: number }>`
      SELECT count(*) AS issues FROM releases
      JOIN issues ON issues.organization_id = releases.organization_id AND issues.status = 'resolved'
        AND releases.version IN (issues.resolution ->> 'release', issues.resolution ->> 'after')
      WHERE releases.organization_id = ${organizationId} AND releases.id = ${releaseId}`.execute(db);
    return Number(rows[0]?.issues ?? 0);
  },

  async delete(organizationId, releaseId) {
    const { numAffectedRows } = await sql`
      DELETE FROM releases WHERE organization_id = ${organizationId} AND id = ${releaseId}`.execute(db);
    return (numAffectedRows ?? 0n) > 0n;
  },

  describe: (organizationId, projectIds, releaseIds) =>
    describeReleases(db, organizationId, projectIds, releaseIds),

  async listWithCommits(organizationId, projectIds, releaseId, { isIncluded, limit }) {
    const { rows } = await sql<ReleaseRow>`
      SELECT ${RELEASE}
      FROM (
        SELECT releases.* FROM releases own
        JOIN releases ON releases.organization_id = own.organization_id
          AND (coalesce(releases.released_at, releases.first_seen), releases.id)
            <= (coalesce(own.released_at, own.first_seen), own.id)
        WHERE own.organization_id = ${organizationId} AND own.id = ${releaseId}
          AND (${isIncluded} OR releases.id != own.id)
          AND releases.id IN (SELECT release_id FROM release_projects
            WHERE project_id = ANY(${projectIds}::bigint[]))
          AND EXISTS (SELECT FROM release_commits WHERE release_id = releases.id)
        ORDER BY coalesce(releases.released_at, releases.first_seen) DESC, releases.id DESC
        LIMIT ${limit}
      ) releases, ${seenIn(projectIds)}
      ORDER BY coalesce(releases.released_at, releases.first_seen) DESC, releases.id DESC`.execute(db);
    return rows.map(toRelease);
  },
});

async function writeRelease(
  transaction: Transaction<Database>,
  organizationId: number,
  name: string,
  atMs: number,
): Promise<{ releaseId: number; isNew: boolean }> {
  const version = toStorableText(name);
  const parts = releaseParts(version);
  const at = new Date(atMs);
  const made = await sql<{ id: number }>`
    INSERT INTO releases (organization_id, version, first_seen, created_at, package, prerelease, build, version_order,
      is_parsed)
    VALUES (${organizationId}, ${version}, ${at}, ${at}, ${parts.package}, ${parts.prerelease}, ${parts.build},
      ${parts.version_order}, true)
    ON CONFLICT DO NOTHING RETURNING id`.execute(transaction);
  if (made.rows[0]) return { releaseId: made.rows[0].id, isNew: true };
  // A second statement, since the first one does not see a row that somebody else committed meanwhile.
  const known = await sql<{ id: number }>`
    SELECT id FROM releases WHERE organization_id = ${organizationId} AND version = ${version}
    FOR NO KEY UPDATE`.execute(transaction);
  if (!known.rows[0]) throw new Error(`The release ${version} is neither there nor new`);
  return { releaseId: known.rows[0].id, isNew: false };
}

async function writeChange(
  db: Kysely<Database>,
  organizationId: number,
  releaseId: number,
  change: ReleaseChange,
): Promise<boolean> {
  const columns: RawBuilder<unknown>[] = [];
  if (change.status !== undefined) columns.push(sql`status = ${change.status}`);
  if (change.url !== undefined) columns.push(sql`url = ${textOrNull(change.url)}`);
  if (change.ref !== undefined) columns.push(sql`ref = ${textOrNull(change.ref)}`);
  if (change.startedAt !== undefined) columns.push(sql`started_at = ${dateOrNull(change.startedAt)}`);
  if (change.releasedAt !== undefined) columns.push(sql`released_at = ${dateOrNull(change.releasedAt)}`);
  // What changes nothing tells all the same whether the release is there.
  const assignments = columns.length === 0 ? sql`version = version` : sql.join(columns);
  const { numAffectedRows } = await sql`
    UPDATE releases SET ${assignments} WHERE organization_id = ${organizationId} AND id = ${releaseId}`.execute(
    db,
  );
  return (numAffectedRows ?? 0n) > 0n;
}

const textOrNull = (text: string | null): string | null => (text === null ? null : toStorableText(text));

const dateOrNull = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
