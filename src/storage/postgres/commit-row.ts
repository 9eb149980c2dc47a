import { type RawBuilder, sql } from 'kysely';
import type { Commit } from '#storage/ports/commits.ts';

export const COMMIT = sql`commits.id, commits.repository_id, commits.key, commits.message, commits.author_name,
  commits.author_email, commits.committed_at`;

/** Commits of the repository that a name in any case means, by the beginning of their key in any case. */
export const namesCommit = (repositoryName: RawBuilder<unknown>, key: RawBuilder<unknown>) => sql`
  lower(repositories.name) = lower(${repositoryName}) AND commits.repository_id = repositories.id
  AND starts_with(lower(commits.key) COLLATE "C", lower(${key}))`;

/** The commits that an issue which is resolved in one waits for. */
export const WAITED_FOR = namesCommit(
  sql`(issues.resolution ->> 'repository')`,
  sql`(issues.resolution ->> 'commit')`,
);

export type CommitRow = {
  id: number;
  repository_id: number;
  key: string;
  message: string;
  author_name: string | null;
  author_email: string | null;
  committed_at: Date;
};

export const toCommit = (row: CommitRow): Commit => ({
  id: row.id,
  repositoryId: row.repository_id,
  key: row.key,
  message: row.message,
  author: { name: row.author_name, email: row.author_email },
  committedAt: row.committed_at.getTime(),
});
