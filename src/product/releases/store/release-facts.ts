import { type Kysely, sql } from 'kysely';
import type { Commit, CommitAuthor } from '#product/commits/commit.ts';
import { COMMIT } from '#product/commits/store/commit-store.ts';
import { IS_LISTED } from '#product/issues/store/is-listed.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { DEPLOY, type Deploy } from '../deploy-store.ts';
import type { ReleaseFacts } from '../release.ts';

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
  const rows = await query<{ id: number; commits: number; deploys: number }>`
    SELECT id, (SELECT count(*) FROM release_commits WHERE release_id = releases.id) AS commits,
      (SELECT count(*) FROM deploys WHERE release_id = releases.id) AS deploys
    FROM releases WHERE organization_id = ${organizationId} AND id = ANY(${releaseIds}::bigint[])`.execute(
    db,
  );
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}

async function readLastCommits(db: Kysely<Database>, organizationId: number, releaseIds: readonly number[]) {
  const rows = await query<Commit & { releaseId: number }>`
    SELECT DISTINCT ON (release_commits.release_id) release_commits.release_id, ${COMMIT}
    FROM release_commits JOIN commits ON commits.id = release_commits.commit_id
    WHERE commits.organization_id = ${organizationId}
      AND release_commits.release_id = ANY(${releaseIds}::bigint[])
    ORDER BY release_commits.release_id, release_commits.position`.execute(db);
  return new Map(rows.map(({ releaseId, ...commit }) => [releaseId, commit]));
}

async function readLastDeploys(db: Kysely<Database>, organizationId: number, releaseIds: readonly number[]) {
  const rows = await query<Deploy>`
    SELECT DISTINCT ON (release_id) ${DEPLOY} FROM deploys
    WHERE organization_id = ${organizationId} AND release_id = ANY(${releaseIds}::bigint[])
    ORDER BY release_id, finished_at DESC, id DESC`.execute(db);
  return new Map(rows.map((deploy) => [deploy.releaseId, deploy]));
}

async function readAuthors(db: Kysely<Database>, organizationId: number, releaseIds: readonly number[]) {
  const rows = await query<CommitAuthor & { releaseId: number }>`
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
  return new Map(
    [...Map.groupBy(rows, ({ releaseId }) => releaseId)].map(([id, authors]) => [
      id,
      authors.map(({ name, email }): CommitAuthor => ({ name, email })),
    ]),
  );
}

async function readNewIssues(
  db: Kysely<Database>,
  organizationId: number,
  projectIds: readonly number[],
  releaseIds: readonly number[],
) {
  // By way of the releases that an issue has: no index knows the first one.
  const rows = await query<{ releaseId: number; projectId: number; issues: number }>`
    SELECT releases.id AS release_id, issues.project_id, count(*) AS issues
    FROM releases
    JOIN issue_releases ON issue_releases.release_id = releases.id
    JOIN issues ON issues.id = issue_releases.issue_id AND issues.first_release = releases.version
    WHERE releases.organization_id = ${organizationId} AND releases.id = ANY(${releaseIds}::bigint[])
      AND issues.project_id = ANY(${projectIds}::bigint[]) AND ${IS_LISTED}
    GROUP BY releases.id, issues.project_id`.execute(db);
  return new Map(
    [...Map.groupBy(rows, ({ releaseId }) => releaseId)].map(([id, counts]) => [
      id,
      new Map(counts.map(({ projectId, issues }) => [projectId, issues])),
    ]),
  );
}

/** With `seen` beside it: see `seenIn`. */
export const RELEASE = sql`releases.id, releases.version, releases.status,
  coalesce(releases.created_at, releases.first_seen) AS created_at, releases.released_at, releases.started_at, releases.first_seen, releases.url, releases.ref, seen.projects`;

/** Which of the projects have seen a release, as JSON; null for none. */
export const seenIn = (projectIds: readonly number[]) => sql`LATERAL (
  SELECT json_agg(json_build_object('projectId', project_id,
    'firstSeen', floor(extract(epoch FROM release_projects.first_seen) * 1000)) ORDER BY project_id) AS projects
  FROM release_projects
  WHERE release_id = releases.id AND project_id = ANY(${projectIds}::bigint[])) seen`;
