import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { affectedRows, query } from '#storage/sql/query.ts';
import { releaseParts } from '#storage/sql/release-parts.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableText } from '#storage/sql/storable-json.ts';
import type { Release, ReleaseChange, ReleaseFacts } from '../release.ts';
import { describeReleases, RELEASE, seenIn } from './release-facts.ts';

export const createReleaseChanges = (db: Kysely<Database>) => ({
  /**
   * Makes the release, or changes the one that there is, and gives it the projects besides those that it has. One
   * transaction. Projects that are gone are left out.
   */
  async save(
    organizationId: number,
    {
      version,
      projectIds,
      change,
    }: { version: string; projectIds: readonly number[]; change: ReleaseChange },
    atMs: number,
  ): Promise<{ releaseId: number; isNew: boolean; newProjectIds: readonly number[] }> {
    return await db.transaction().execute(async (transaction) => {
      const { releaseId, isNew } = await writeRelease(transaction, organizationId, version, atMs);
      await writeChange(transaction, organizationId, releaseId, change);
      const added = await query<{ projectId: number }>`
        INSERT INTO release_projects (release_id, project_id, first_seen)
        SELECT ${releaseId}, id, ${new Date(atMs)} FROM projects
        WHERE organization_id = ${organizationId} AND id = ANY(${projectIds}::bigint[])
        ORDER BY id FOR KEY SHARE
        ON CONFLICT DO NOTHING RETURNING project_id`.execute(transaction);
      return { releaseId, isNew, newProjectIds: added.map(({ projectId }) => projectId) };
    });
  },

  /** False when the organization has no such release. */
  change: (organizationId: number, releaseId: number, change: ReleaseChange): Promise<boolean> =>
    writeChange(db, organizationId, releaseId, change),

  /** Every project of the release, also those that whoever asks may not see. */
  async listProjectIds(organizationId: number, releaseId: number): Promise<readonly number[]> {
    const found = await query<{ projectId: number }>`
      SELECT project_id FROM release_projects JOIN releases ON releases.id = release_projects.release_id
      WHERE releases.organization_id = ${organizationId} AND release_id = ${releaseId}
      ORDER BY project_id`.execute(db);
    return found.map(({ projectId }) => projectId);
  },

  /** Issues that happened in it or began with it, which it therefore cannot be deleted from under. */
  async countIssues(organizationId: number, releaseId: number): Promise<number> {
    const counted = await query<{ issues: number }>`
      SELECT count(*) AS issues FROM issue_releases JOIN releases ON releases.id = issue_releases.release_id
      WHERE releases.organization_id = ${organizationId} AND releases.id = ${releaseId}`.first(db);
    return counted?.issues ?? 0;
  },

  /** Resolved issues, or in the release after it: it decides what brings them back. */
  async countResolvedIn(organizationId: number, releaseId: number): Promise<number> {
    const counted = await query<{ issues: number }>`
      SELECT count(*) AS issues FROM releases
      JOIN issues ON issues.organization_id = releases.organization_id AND issues.status = 'resolved'
        AND releases.version IN (issues.resolution ->> 'release', issues.resolution ->> 'after')
      WHERE releases.organization_id = ${organizationId} AND releases.id = ${releaseId}`.first(db);
    return counted?.issues ?? 0;
  },

  /** With its commits' places, deploys and projects; commits stay. False when the organization has no such release. */
  async delete(organizationId: number, releaseId: number): Promise<boolean> {
    const deleted = await affectedRows`
      DELETE FROM releases WHERE organization_id = ${organizationId} AND id = ${releaseId}`.execute(db);
    return deleted > 0;
  },

  /** Of the given releases; each has an entry. */
  describe: (
    organizationId: number,
    projectIds: readonly number[],
    releaseIds: readonly number[],
  ): Promise<ReadonlyMap<number, ReleaseFacts>> =>
    describeReleases(db, organizationId, projectIds, releaseIds),

  /**
   * Releases of any of the projects that have commits, from the given one back by date, newest first; the given one
   * itself only with `isIncluded`.
   */
  listWithCommits: (
    organizationId: number,
    projectIds: readonly number[],
    releaseId: number,
    { isIncluded, limit }: { isIncluded: boolean; limit: number },
  ): Promise<readonly Release[]> =>
    query<Release>`
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
      ORDER BY coalesce(releases.released_at, releases.first_seen) DESC, releases.id DESC`.execute(db),
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
  const created = await query<{ id: number }>`
    INSERT INTO releases (organization_id, version, first_seen, created_at, package, prerelease, build, version_order,
      is_parsed)
    VALUES (${organizationId}, ${version}, ${at}, ${at}, ${parts.package}, ${parts.prerelease}, ${parts.build},
      ${parts.version_order}, true)
    ON CONFLICT DO NOTHING RETURNING id`.first(transaction);
  if (created) return { releaseId: created.id, isNew: true };
  // A second statement, since the first one does not see a row that somebody else committed meanwhile.
  const known = await query<{ id: number }>`
    SELECT id FROM releases WHERE organization_id = ${organizationId} AND version = ${version}
    FOR NO KEY UPDATE`.first(transaction);
  if (!known) throw new Error(`Release ${version} was neither found nor created`);
  return { releaseId: known.id, isNew: false };
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
  // What changes nothing shows all the same whether the release is there.
  const assignments = columns.length === 0 ? sql`version = version` : sql.join(columns);
  const changed = await affectedRows`
    UPDATE releases SET ${assignments} WHERE organization_id = ${organizationId} AND id = ${releaseId}`.execute(
    db,
  );
  return changed > 0;
}

const textOrNull = (text: string | null): string | null => (text === null ? null : toStorableText(text));

const dateOrNull = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
