import { sql, type Transaction } from 'kysely';
import type { NamedRelease, NewRelease } from '#domain/issues/regression.ts';
import { WAITED_FOR } from '#storage/sql/named-commits.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';

/** Issues of one batch that learn which release holds their commit; the others wait for the one after it. */
const ISSUES_MAX = 10_000;

/** Issues that wait for a commit which a release holds that their project now has, with the first of such releases. */
export async function findCommitReleases(
  transaction: Transaction<Database>,
  newReleases: readonly NewRelease[],
): Promise<Map<number, NamedRelease>> {
  if (newReleases.length === 0) return new Map();
  const rows = newReleases.map(({ projectId, version }) => ({ project_id: projectId, version }));
  const found = await sql<{ id: number; version: string; repository: string; commit: string }>`
    SELECT DISTINCT ON (issues.id) issues.id, releases.version, repositories.name AS repository,
      commits.key AS commit
    FROM json_to_recordset(${toStorableJson(rows)}::json) AS new (project_id bigint, version text)
    JOIN issues ON issues.project_id = new.project_id
      AND issues.status = 'resolved' AND issues.resolution ->> 'kind' = 'commit'
    JOIN releases ON releases.organization_id = issues.organization_id AND releases.version = new.version
    JOIN release_commits ON release_commits.release_id = releases.id
    JOIN repositories ON repositories.organization_id = issues.organization_id
    JOIN commits ON commits.id = release_commits.commit_id AND ${WAITED_FOR}
    ORDER BY issues.id, coalesce(releases.released_at, releases.first_seen), releases.id
    LIMIT ${ISSUES_MAX}`.execute(transaction);
  return new Map(
    found.rows.map(({ id, version, repository, commit }) => [id, { version, said: { repository, commit } }]),
  );
}
