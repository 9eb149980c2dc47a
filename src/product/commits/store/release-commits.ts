import { type Kysely, sql, type Transaction } from 'kysely';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson, toStorableText } from '#storage/sql/storable-json.ts';
import type { NewCommit, ReleaseHead } from '../commit.ts';

/** Writes which commits a release holds. */
export const createReleaseCommits = (db: Kysely<Database>) => ({
  /**
   * The commits of a release are these, newest first, in place of those that it had. One that is known is renewed; its
   * files are joined. The head of each repository is its newest commit. One transaction.
   */
  async setReleaseCommits(
    organizationId: number,
    releaseId: number,
    commits: readonly NewCommit[],
  ): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      if (!(await lockRelease(transaction, organizationId, releaseId))) return;
      const distinct = [...new Map(commits.map((commit) => [keyOf(commit), commit])).values()];
      const ids = await writeCommits(transaction, organizationId, distinct);
      await writeFiles(transaction, distinct, ids);
      await sql`DELETE FROM release_commits WHERE release_id = ${releaseId}`.execute(transaction);
      const places = distinct.flatMap((commit, position) => {
        const commit_id = ids.get(keyOf(commit));
        return commit_id === undefined ? [] : [{ commit_id, position }];
      });
      await sql`
        INSERT INTO release_commits (release_id, commit_id, position)
        SELECT ${releaseId}, commit_id, position
        FROM json_to_recordset(${toStorableJson(places)}::json) AS place (commit_id bigint, position integer)
        `.execute(transaction);
      await sql`
        INSERT INTO release_heads (release_id, repository_id, commit_key)
        SELECT DISTINCT ON (commits.repository_id) ${releaseId}, commits.repository_id, commits.key
        FROM release_commits JOIN commits ON commits.id = release_commits.commit_id
        WHERE release_commits.release_id = ${releaseId}
        ORDER BY commits.repository_id, release_commits.position
        ON CONFLICT (release_id, repository_id) DO UPDATE SET commit_key = excluded.commit_key`.execute(
        transaction,
      );
    });
  },

  /** The heads of a release are these, besides those of other repositories. */
  async setReleaseHeads(
    organizationId: number,
    releaseId: number,
    heads: readonly ReleaseHead[],
  ): Promise<void> {
    const rows = heads.map(({ repositoryId, commitKey, previousKey }) => ({
      repository_id: repositoryId,
      commit_key: commitKey,
      previous_key: previousKey,
    }));
    await sql`
      INSERT INTO release_heads (release_id, repository_id, commit_key, previous_key)
      SELECT DISTINCT ON (repositories.id) releases.id, repositories.id, head.commit_key, head.previous_key
      FROM json_to_recordset(${toStorableJson(rows)}::json)
        AS head (repository_id bigint, commit_key text, previous_key text)
      JOIN repositories ON repositories.id = head.repository_id AND repositories.organization_id = ${organizationId}
      JOIN releases ON releases.id = ${releaseId} AND releases.organization_id = ${organizationId}
      ORDER BY repositories.id
      ON CONFLICT (release_id, repository_id) DO UPDATE
        SET commit_key = excluded.commit_key, previous_key = excluded.previous_key`.execute(db);
  },

  /** The release has neither commits nor heads any more. */
  async clearRelease(organizationId: number, releaseId: number): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      if (!(await lockRelease(transaction, organizationId, releaseId))) return;
      await sql`DELETE FROM release_commits WHERE release_id = ${releaseId}`.execute(transaction);
      await sql`DELETE FROM release_heads WHERE release_id = ${releaseId}`.execute(transaction);
    });
  },
});

const keyOf = ({ repositoryId, key }: Pick<NewCommit, 'repositoryId' | 'key'>): string =>
  `${repositoryId}:${toStorableText(key)}`;

/** Everybody who writes the commits of a release waits here for the one before. */
async function lockRelease(
  transaction: Transaction<Database>,
  organizationId: number,
  releaseId: number,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM releases WHERE organization_id = ${organizationId} AND id = ${releaseId}
    FOR NO KEY UPDATE`.execute(transaction);
  return rows.length > 0;
}

/** The number of each commit by its key; commits of repositories of others have none. */
async function writeCommits(
  transaction: Transaction<Database>,
  organizationId: number,
  commits: readonly NewCommit[],
): Promise<Map<string, number>> {
  const rows = commits.map(({ repositoryId, key, message, author, committedAt }) => ({
    repository_id: repositoryId,
    key,
    message,
    author_name: author.name,
    author_email: author.email,
    committed_at: new Date(committedAt),
  }));
  // In one order for everybody, so that two builds with the same commits wait for each other instead of deadlocking.
  const stored = await query<{ id: number; repositoryId: number; key: string }>`
    INSERT INTO commits (organization_id, repository_id, key, message, author_name, author_email, committed_at)
    SELECT ${organizationId}, repositories.id, new.key, new.message, new.author_name, new.author_email, new.committed_at
    FROM json_to_recordset(${toStorableJson(rows)}::json) AS new (repository_id bigint, key text, message text,
      author_name text, author_email text, committed_at timestamptz)
    JOIN repositories ON repositories.id = new.repository_id AND repositories.organization_id = ${organizationId}
    ORDER BY repositories.id, new.key
    ON CONFLICT (repository_id, key) DO UPDATE SET
      message = CASE WHEN excluded.message = '' THEN commits.message ELSE excluded.message END,
      author_name = coalesce(excluded.author_name, commits.author_name),
      author_email = coalesce(excluded.author_email, commits.author_email),
      committed_at = excluded.committed_at
    RETURNING id, repository_id, key`.execute(transaction);
  return new Map(stored.map((row) => [`${row.repositoryId}:${row.key}`, row.id]));
}

async function writeFiles(
  transaction: Transaction<Database>,
  commits: readonly NewCommit[],
  ids: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = commits.flatMap((commit) => {
    const commit_id = ids.get(keyOf(commit));
    return commit_id === undefined
      ? []
      : commit.files.map(({ path, change }) => ({ commit_id, path, change }));
  });
  if (rows.length === 0) return;
  await sql`
    INSERT INTO commit_files (commit_id, path, change)
    SELECT commit_id, path, change
    FROM json_to_recordset(${toStorableJson(rows)}::json) AS file (commit_id bigint, path text, change text)
    ORDER BY commit_id, path
    ON CONFLICT DO NOTHING`.execute(transaction);
}
