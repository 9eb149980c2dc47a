import { sql, type Transaction } from 'kysely';
import type { NamedRelease, NewRelease, PendingIssue, ReleaseOrder } from '#domain/issues/regression.ts';
import { compareReleaseNames, compareReleases, releasePackage } from '#protocol/release-version.ts';
import { WAITED_FOR } from '#storage/sql/named-commits.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';

/** Issues resolved in the next release that one batch updates; the others wait for the release after it. */
const ISSUES_MAX = 10_000;

export async function findPending(
  transaction: Transaction<Database>,
  newReleases: readonly NewRelease[],
): Promise<PendingIssue[]> {
  if (newReleases.length === 0) return [];
  const projectIds = [...new Set(newReleases.map(({ projectId }) => projectId))];
  return await query<PendingIssue>`
    SELECT id AS issue_id, organization_id, project_id, resolution ->> 'after' AS after
    FROM issues
    WHERE project_id = ANY(${projectIds}::bigint[]) AND status = 'resolved'
      AND resolution ->> 'kind' = 'next_release'
    ORDER BY id LIMIT ${ISSUES_MAX}`.execute(transaction);
}

export const pairsOf = (
  pending: readonly PendingIssue[],
  newReleases: readonly NewRelease[],
): ReleasePair[] =>
  pending.flatMap(({ organizationId, projectId, after }) =>
    newReleases
      .filter((release) => release.projectId === projectId)
      .map(({ version }) => ({ organizationId, release: version, other: after })),
  );

/**
 * The package whose releases count for each issue that was resolved in, or after, the release `anchor`: that of the
 * anchor. Where the issue was never seen in it, the package that it was seen in last: somebody chose a release of
 * another package, or it was resolved before packages counted.
 */
export async function findPackages(
  transaction: Transaction<Database>,
  issues: readonly {
    issueId: number;
    anchor: string;
    lastRelease: string | null;
    /** Of its events in this batch. */
    releases: readonly (string | null)[];
  }[],
): Promise<Map<number, string | null>> {
  const packages = new Map<number, string | null>();
  const unsure: { issue_id: number; package: string | null }[] = [];
  for (const { issueId, anchor, lastRelease, releases } of issues) {
    const anchored = releasePackage(anchor);
    const seen = [lastRelease ?? anchor, ...releases.filter((release) => release !== null)].map(
      releasePackage,
    );
    const isSeen = seen.includes(anchored);
    packages.set(issueId, isSeen ? anchored : (seen[0] ?? null));
    if (!isSeen) unsure.push({ issue_id: issueId, package: anchored });
  }
  if (unsure.length === 0) return packages;
  const { rows } = await sql<{ issue_id: number; package: string | null }>`
    SELECT asked.* FROM json_to_recordset(${toStorableJson(unsure)}::json) AS asked (issue_id bigint, package text)
    WHERE EXISTS (
      SELECT FROM issue_releases JOIN releases ON releases.id = issue_releases.release_id
      WHERE issue_releases.issue_id = asked.issue_id AND releases.package IS NOT DISTINCT FROM asked.package
    )`.execute(transaction);
  for (const row of rows) packages.set(row.issue_id, row.package);
  return packages;
}

/** Issues that are locked and still wait for a release are now resolved in the one that it is. */
export async function resolveInReleases(
  transaction: Transaction<Database>,
  releases: ReadonlyMap<number, NamedRelease>,
  nowMs: number,
): Promise<void> {
  if (releases.size === 0) return;
  const rows = [...releases].map(([id, { version, said }]) => ({ id, version, said }));
  await sql`
    WITH named AS (
      UPDATE issues SET resolution = jsonb_build_object('kind', 'release', 'release', found.version),
        substatus_at = ${new Date(nowMs)}
      FROM json_to_recordset(${toStorableJson(rows)}::json) AS found (id bigint, version text, said jsonb)
      WHERE issues.id = found.id
      RETURNING issues.id, found.version, found.said
    )
    INSERT INTO activities (issue_id, type, data, at)
    SELECT id, 'set_resolved_in_release', jsonb_build_object('version', version) || said, ${new Date(nowMs)}
    FROM named`.execute(transaction);
}

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

export type ReleasePair = { organizationId: number; release: string; other: string };

/**
 * The order of releases of an organization, made ready for the given pairs. Dates are only looked up where the names do
 * not tell; a release that is not stored yet is seen now for the first time.
 */
export async function orderReleases(
  transaction: Transaction<Database>,
  pairs: readonly ReleasePair[],
  nowMs: number,
): Promise<(organizationId: number) => ReleaseOrder> {
  const wanted = new Map<string, { organization_id: number; version: string }>();
  for (const { organizationId, release, other } of pairs) {
    if (compareReleaseNames(release, other) !== null) continue;
    for (const version of [release, other]) {
      wanted.set(`${organizationId}:${version}`, { organization_id: organizationId, version });
    }
  }
  const dates =
    wanted.size === 0 ? new Map<string, number>() : await findDates(transaction, [...wanted.values()]);
  return (organizationId) => {
    const dated = (version: string) => ({
      version,
      dateMs: dates.get(`${organizationId}:${version}`) ?? nowMs,
    });
    return (release, other) => compareReleases(dated(release), dated(other));
  };
}

async function findDates(
  transaction: Transaction<Database>,
  wanted: readonly { organization_id: number; version: string }[],
): Promise<Map<string, number>> {
  const dates = await query<{ organizationId: number; version: string; at: number }>`
    SELECT releases.organization_id, releases.version, coalesce(released_at, first_seen) AS at
    FROM unnest(${wanted.map((row) => row.organization_id)}::bigint[], ${wanted.map((row) => row.version)}::text[])
      AS wanted (organization_id, version)
    JOIN releases ON releases.organization_id = wanted.organization_id AND releases.version = wanted.version
    `.execute(transaction);
  return new Map(dates.map(({ organizationId, version, at }) => [`${organizationId}:${version}`, at]));
}
