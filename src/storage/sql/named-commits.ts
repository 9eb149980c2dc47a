import { type RawBuilder, sql } from 'kysely';

/** Commits of the repository that a name in any case means, by the beginning of their key in any case. */
export const namesCommit = (repositoryName: RawBuilder<unknown>, key: RawBuilder<unknown>) => sql`
  lower(repositories.name) = lower(${repositoryName}) AND commits.repository_id = repositories.id
  AND starts_with(lower(commits.key) COLLATE "C", lower(${key}))`;

/** The commits that an issue which is resolved in one waits for. */
export const WAITED_FOR = namesCommit(
  sql`(issues.resolution ->> 'repository')`,
  sql`(issues.resolution ->> 'commit')`,
);
