import { type Kysely, sql } from 'kysely';
import type { ChangedFile, CommitStore, FileChange } from '#storage/ports/commits.ts';
import { createCommitResolutions } from './commit-resolutions.ts';
import { COMMIT, type CommitRow, namesCommit, toCommit } from './commit-row.ts';
import { createReleaseCommits } from './release-commits.ts';
import type { Database } from './schema.ts';
import { toStorableText } from './storable-json.ts';

export const createCommitStore = (db: Kysely<Database>): CommitStore => ({
  ...createReleaseCommits(db),
  ...createCommitResolutions(db),

  async listHeads(organizationId, releaseId) {
    const { rows } = await sql<{ repository_id: number; commit_key: string; previous_key: string | null }>`
      SELECT repository_id, commit_key, previous_key
      FROM release_heads JOIN releases ON releases.id = release_heads.release_id
      WHERE releases.organization_id = ${organizationId} AND release_id = ${releaseId}
      ORDER BY repository_id`.execute(db);
    return rows.map((row) => ({
      repositoryId: row.repository_id,
      commitKey: row.commit_key,
      previousKey: row.previous_key,
    }));
  },

  async listOfRelease(organizationId, releaseId, { limit, offset }) {
    const { rows } = await sql<CommitRow & { files: number }>`
      SELECT ${COMMIT}, (SELECT count(*) FROM commit_files WHERE commit_id = commits.id) AS files
      FROM release_commits JOIN commits ON commits.id = release_commits.commit_id
      WHERE commits.organization_id = ${organizationId} AND release_commits.release_id = ${releaseId}
      ORDER BY release_commits.position LIMIT ${limit} OFFSET ${offset}`.execute(db);
    return rows.map((row) => ({ ...toCommit(row), fileCount: Number(row.files) }));
  },

  async listFilesOfRelease(organizationId, releaseId, { limit, offset }) {
    const { rows } = await sql<CommitRow & { path: string; change: FileChange }>`
      SELECT DISTINCT ON (commit_files.path) commit_files.path, commit_files.change, ${COMMIT}
      FROM release_commits
      JOIN commits ON commits.id = release_commits.commit_id
      JOIN commit_files ON commit_files.commit_id = commits.id
      WHERE commits.organization_id = ${organizationId} AND release_commits.release_id = ${releaseId}
      ORDER BY commit_files.path, release_commits.position LIMIT ${limit} OFFSET ${offset}`.execute(db);
    return rows.map((row): ChangedFile & { commit: ReturnType<typeof toCommit> } => ({
      path: row.path,
      change: row.change,
      commit: toCommit(row),
    }));
  },

  async countFilesOfRelease(organizationId, releaseId) {
    const { rows } = await sql<{ files: number }>`
      SELECT count(DISTINCT commit_files.path) AS files
      FROM release_commits
      JOIN commits ON commits.id = release_commits.commit_id
      JOIN commit_files ON commit_files.commit_id = commits.id
      WHERE commits.organization_id = ${organizationId}
        AND release_commits.release_id = ${releaseId}`.execute(db);
    return Number(rows[0]?.files ?? 0);
  },

  async listReleasesWith(organizationId, { repositoryName, key }, limit) {
    const { rows } = await sql<{ id: number }>`
      SELECT DISTINCT releases.id, coalesce(releases.released_at, releases.first_seen) AS at
      FROM repositories
      JOIN commits ON ${namesCommit(sql`${toStorableText(repositoryName)}::text`, sql`${toStorableText(key)}::text`)}
      JOIN release_commits ON release_commits.commit_id = commits.id
      JOIN releases ON releases.id = release_commits.release_id
      WHERE repositories.organization_id = ${organizationId}
      ORDER BY at, releases.id LIMIT ${limit}`.execute(db);
    return rows.map((row) => row.id);
  },

  async list(organizationId, repositoryId, { seenIn, limit, offset }) {
    const isSeen =
      seenIn === null
        ? sql`true`
        : sql`EXISTS (SELECT FROM release_commits JOIN release_projects USING (release_id)
            WHERE commit_id = commits.id AND project_id = ANY(${[...seenIn]}::bigint[]))`;
    const { rows } = await sql<CommitRow>`
      SELECT ${COMMIT} FROM commits
      WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND ${isSeen}
      ORDER BY committed_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`.execute(db);
    return rows.map(toCommit);
  },

  async findTouching(organizationId, releaseIds, fileNames, limit) {
    if (releaseIds.length === 0 || fileNames.length === 0) return [];
    const { rows } = await sql<CommitRow & { release_id: number; path: string }>`
      SELECT release_commits.release_id, commit_files.path, ${COMMIT}
      FROM release_commits
      JOIN commits ON commits.id = release_commits.commit_id
      JOIN commit_files ON commit_files.commit_id = commits.id
      WHERE commits.organization_id = ${organizationId}
        AND release_commits.release_id = ANY(${releaseIds}::bigint[]) AND commit_files.change != 'D'
        AND substring(commit_files.path FROM '[^/]*$') = ANY(${fileNames}::text[])
      ORDER BY commits.committed_at DESC, commits.id DESC, commit_files.path LIMIT ${limit}`.execute(db);
    return rows.map((row) => ({ releaseId: row.release_id, path: row.path, commit: toCommit(row) }));
  },
});
