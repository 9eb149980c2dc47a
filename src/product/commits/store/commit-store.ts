import { type Kysely, sql } from 'kysely';
import { namesCommit } from '#storage/sql/named-commits.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableText } from '#storage/sql/storable-json.ts';
import type { ChangedFile, Commit, ReleaseHead, TouchingCommit } from '../commit.ts';
import { createCommitResolutions } from './commit-resolutions.ts';
import { createReleaseCommits } from './release-commits.ts';

/** Commits, and the releases that hold them. Source: PostgreSQL. Every call is scoped by organization. */
export const createCommitStore = (db: Kysely<Database>) => ({
  ...createReleaseCommits(db),
  ...createCommitResolutions(db),

  listHeads: (organizationId: number, releaseId: number): Promise<readonly ReleaseHead[]> =>
    query<ReleaseHead>`
      SELECT repository_id, commit_key, previous_key
      FROM release_heads JOIN releases ON releases.id = release_heads.release_id
      WHERE releases.organization_id = ${organizationId} AND release_id = ${releaseId}
      ORDER BY repository_id`.execute(db),

  /** Newest first, from the place on, with how many files each changed. */
  listOfRelease: (
    organizationId: number,
    releaseId: number,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<readonly (Commit & { fileCount: number })[]> =>
    query<Commit & { fileCount: number }>`
      SELECT ${COMMIT}, (SELECT count(*) FROM commit_files WHERE commit_id = commits.id) AS file_count
      FROM release_commits JOIN commits ON commits.id = release_commits.commit_id
      WHERE commits.organization_id = ${organizationId} AND release_commits.release_id = ${releaseId}
      ORDER BY release_commits.position LIMIT ${limit} OFFSET ${offset}`.execute(db),

  /** What the commits of a release changed, by path; `change` is that of the newest commit. */
  listFilesOfRelease: (
    organizationId: number,
    releaseId: number,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<readonly (ChangedFile & { commit: Commit })[]> =>
    query<ChangedFile & { commit: Commit }>`
      SELECT DISTINCT ON (commit_files.path) commit_files.path, commit_files.change, ${COMMIT_JSON}
      FROM release_commits
      JOIN commits ON commits.id = release_commits.commit_id
      JOIN commit_files ON commit_files.commit_id = commits.id
      WHERE commits.organization_id = ${organizationId} AND release_commits.release_id = ${releaseId}
      ORDER BY commit_files.path, release_commits.position LIMIT ${limit} OFFSET ${offset}`.execute(db),

  async countFilesOfRelease(organizationId: number, releaseId: number): Promise<number> {
    const counted = await query<{ files: number }>`
      SELECT count(DISTINCT commit_files.path) AS files
      FROM release_commits
      JOIN commits ON commits.id = release_commits.commit_id
      JOIN commit_files ON commit_files.commit_id = commits.id
      WHERE commits.organization_id = ${organizationId}
        AND release_commits.release_id = ${releaseId}`.first(db);
    return counted?.files ?? 0;
  },

  /** Releases that hold the commit, which may be named by its beginning, oldest first. */
  async listReleasesWith(
    organizationId: number,
    { repositoryName, key }: { repositoryName: string; key: string },
    limit: number,
  ): Promise<readonly number[]> {
    const found = await query<{ id: number }>`
      SELECT DISTINCT releases.id, coalesce(releases.released_at, releases.first_seen) AS at
      FROM repositories
      JOIN commits ON ${namesCommit(sql`${toStorableText(repositoryName)}::text`, sql`${toStorableText(key)}::text`)}
      JOIN release_commits ON release_commits.commit_id = commits.id
      JOIN releases ON releases.id = release_commits.release_id
      WHERE repositories.organization_id = ${organizationId}
      ORDER BY at, releases.id LIMIT ${limit}`.execute(db);
    return found.map(({ id }) => id);
  },

  /** Of a repository, newest first, from the place on; `seenIn`: those of releases of these projects, null for all. */
  async list(
    organizationId: number,
    repositoryId: number,
    { seenIn, limit, offset }: { seenIn: readonly number[] | null; limit: number; offset: number },
  ): Promise<readonly Commit[]> {
    const isSeen =
      seenIn === null
        ? sql`true`
        : sql`EXISTS (SELECT FROM release_commits JOIN release_projects USING (release_id)
            WHERE commit_id = commits.id AND project_id = ANY(${[...seenIn]}::bigint[]))`;
    return await query<Commit>`
      SELECT ${COMMIT} FROM commits
      WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND ${isSeen}
      ORDER BY committed_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`.execute(db);
  },

  /** Commits of the releases that changed a file with one of the names (the last part of its path). */
  async findTouching(
    organizationId: number,
    releaseIds: readonly number[],
    fileNames: readonly string[],
    limit: number,
  ): Promise<readonly TouchingCommit[]> {
    if (releaseIds.length === 0 || fileNames.length === 0) return [];
    return await query<TouchingCommit>`
      SELECT release_commits.release_id, commit_files.path, ${COMMIT_JSON}
      FROM release_commits
      JOIN commits ON commits.id = release_commits.commit_id
      JOIN commit_files ON commit_files.commit_id = commits.id
      WHERE commits.organization_id = ${organizationId}
        AND release_commits.release_id = ANY(${releaseIds}::bigint[]) AND commit_files.change != 'D'
        AND substring(commit_files.path FROM '[^/]*$') = ANY(${fileNames}::text[])
      ORDER BY commits.committed_at DESC, commits.id DESC, commit_files.path LIMIT ${limit}`.execute(db);
  },
});

export type CommitStore = ReturnType<typeof createCommitStore>;

const AUTHOR = sql`json_build_object('name', commits.author_name, 'email', commits.author_email)`;

export const COMMIT = sql`commits.id, commits.repository_id, commits.key, commits.message, ${AUTHOR} AS author,
  commits.committed_at`;

/** The same as one column, `commit`. */
export const COMMIT_JSON = sql`json_build_object('id', commits.id, 'repositoryId', commits.repository_id,
  'key', commits.key, 'message', commits.message, 'author', ${AUTHOR},
  'committedAt', floor(extract(epoch FROM commits.committed_at) * 1000)) AS commit`;
