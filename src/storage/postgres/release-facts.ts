import { type Kysely, sql } from 'kysely';
import type { CommitAuthor } from '#storage/ports/commits.ts';
import type { ReleaseFacts } from '#storage/ports/releases.ts';
import { COMMIT, type CommitRow, toCommit } from './commit-row.ts';
import { DEPLOY, type DeployRow, toDeploy } from './deploy-row.ts';
import type { Database } from './schema.ts';

const AUTHORS_MAX = 10;

/** What stands beside each release in lists. */
export async function describeReleases(
  db: Kysely<Database>,
  organizationId: number,
  projectIds: readonly number[],
  releaseIds: readonly number[],
): Promise<Map<number, ReleaseFacts>> {
  if (releaseIds.length === 0) return new Map();
  const [counts, commits, deploys, authors, issues] = await Promise.all([
    readCounts(db, organizationId, releaseIds),
    readLastCommits(db, organizationId, releaseIds),
    readLastDeploys(db, organizationId, releaseIds),
    readAuthors(db, organizationId, releaseIds),
    readNewIssues(db, organizationId, projectIds, releaseIds),
  ]);
  return new Map(
    releaseIds.map((id) => [
      id,
      {
        commitCount: counts.get(id)?.commits ?? 0,
        deployCount: counts.get(id)?.deploys ?? 0,
        lastCommit: commits.get(id) ?? null,
        lastDeploy: deploys.get(id) ?? null,
        authors: authors.get(id) ?? [],
        newIssues: issues.get(id) ?? new Map(),
      },
    ]),
  );
}

async function readCounts(db: Kysely<Database>, organizationId: number, releaseIds: readonly number[]) {
  const { rows } = await sql<{ id: number; commits: number; deploys: number }>`
    SELECT id, (SELECT count(*) FROM release_commits WHERE release_id = releases.id) AS commits,
      (SELECT count(*) FROM deploys WHERE release_id = releases.id) AS deploys
    FROM releases WHERE organization_id = ${organizationId} AND id = ANY(${releaseIds}::bigint[])`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.id, { commits: Number(row.commits), deploys: Number(row.deploys) }]));
}

async function readLastCommits(db: Kysely<Database>, organizationId: number, releaseIds: readonly number[]) {
  const { rows } = await sql<CommitRow & { release_id: number }>`
    SELECT DISTINCT ON (release_commits.release_id) release_commits.release_id, ${COMMIT}
    FROM release_commits JOIN commits ON commits.id = release_commits.commit_id
    WHERE commits.organization_id = ${organizationId}
      AND release_commits.release_id = ANY(${releaseIds}::bigint[])
    ORDER BY release_commits.release_id, release_commits.position`.execute(db);
  return new Map(rows.map((row) => [row.release_id, toCommit(row)]));
}

async function readLastDeploys(db: Kysely<Database>, organizationId: number, releaseIds: readonly number[]) {
  const { rows } = await sql<DeployRow>`
    SELECT DISTINCT ON (release_id) ${DEPLOY} FROM deploys
    WHERE organization_id = ${organizationId} AND release_id = ANY(${releaseIds}::bigint[])
    ORDER BY release_id, finished_at DESC, id DESC`.execute(db);
  return new Map(rows.map((row) => [row.release_id, toDeploy(row)]));
}

async function readAuthors(db: Kysely<Database>, organizationId: number, releaseIds: readonly number[]) {
  const { rows } = await sql<{ release_id: number; name: string | null; email: string | null }>`
    SELECT release_id, name, email FROM (
      SELECT release_commits.release_id, max(commits.author_name) AS name, max(commits.author_email) AS email,
        row_number() OVER (PARTITION BY release_commits.release_id
          ORDER BY count(*) DESC, min(release_commits.position)) AS place
      FROM release_commits JOIN commits ON commits.id = release_commits.commit_id
      WHERE commits.organization_id = ${organizationId}
        AND release_commits.release_id = ANY(${releaseIds}::bigint[])
        AND coalesce(commits.author_email, commits.author_name) IS NOT NULL
      GROUP BY release_commits.release_id, coalesce(commits.author_email, commits.author_name)
    ) ranked WHERE place <= ${AUTHORS_MAX} ORDER BY release_id, place`.execute(db);
  const authors = new Map<number, CommitAuthor[]>();
  for (const { release_id, name, email } of rows) {
    const known = authors.get(release_id);
    if (known) known.push({ name, email });
    else authors.set(release_id, [{ name, email }]);
  }
  return authors;
}

async function readNewIssues(
  db: Kysely<Database>,
  organizationId: number,
  projectIds: readonly number[],
  releaseIds: readonly number[],
) {
  // By way of the releases that an issue has: no index knows the first one.
  const { rows } = await sql<{ release_id: number; project_id: number; issues: number }>`
    SELECT releases.id AS release_id, issues.project_id, count(*) AS issues
    FROM releases
    JOIN issue_releases ON issue_releases.release_id = releases.id
    JOIN issues ON issues.id = issue_releases.issue_id AND issues.first_release = releases.version
    WHERE releases.organization_id = ${organizationId} AND releases.id = ANY(${releaseIds}::bigint[])
      AND issues.project_id = ANY(${projectIds}::bigint[])
    GROUP BY releases.id, issues.project_id`.execute(db);
  const counts = new Map<number, Map<number, number>>();
  for (const { release_id, project_id, issues } of rows) {
    const own = counts.get(release_id) ?? new Map<number, number>();
    counts.set(release_id, own.set(project_id, Number(issues)));
  }
  return counts;
}
