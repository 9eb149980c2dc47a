import { type Kysely, sql } from 'kysely';
import type { CommitAuthor } from '#product/commits/commit.ts';
import { COMMIT, type CommitRow, toCommit } from '#product/commits/store/commit-store.ts';
import type { Database } from '#storage/sql/schema.ts';
import { DEPLOY, type DeployRow, toDeploy } from '../deploy-store.ts';
import type { Release, ReleaseFacts, ReleaseStatus } from '../release.ts';

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

/** With `seen` beside it: see `seenIn`. */
export const RELEASE = sql`releases.id, releases.version, releases.status, releases.created_at, releases.released_at,
  releases.started_at, releases.first_seen, releases.url, releases.ref, seen.projects`;

/** Which of the projects have seen a release, as JSON; null for none. */
export const seenIn = (projectIds: readonly number[]) => sql`LATERAL (
  SELECT json_agg(json_build_object('projectId', project_id,
    'firstSeen', floor(extract(epoch FROM release_projects.first_seen) * 1000)) ORDER BY project_id) AS projects
  FROM release_projects
  WHERE release_id = releases.id AND project_id = ANY(${projectIds}::bigint[])) seen`;

export type ReleaseRow = {
  id: number;
  version: string;
  status: ReleaseStatus;
  created_at: Date | null;
  released_at: Date | null;
  started_at: Date | null;
  first_seen: Date;
  url: string | null;
  ref: string | null;
  projects: readonly { projectId: number; firstSeen: number }[];
};

export const toRelease = (row: ReleaseRow): Release => ({
  id: row.id,
  version: row.version,
  status: row.status,
  createdAt: (row.created_at ?? row.first_seen).getTime(),
  releasedAt: row.released_at?.getTime() ?? null,
  startedAt: row.started_at?.getTime() ?? null,
  firstSeen: row.first_seen.getTime(),
  url: row.url,
  ref: row.ref,
  projects: row.projects,
});
