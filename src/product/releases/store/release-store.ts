import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { PackageScope } from '#domain/issues/package-scope.ts';
import { IS_LISTED } from '#product/issues/store/is-listed.ts';
import type { Range } from '#product/time-buckets.ts';
import { findNewestReleases } from '#storage/sql/newest-releases.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableText } from '#storage/sql/storable-json.ts';
import type {
  Release,
  ReleaseIssues,
  ReleasePlace,
  ReleaseSort,
  ReleaseStatus,
  ReleaseSummary,
} from '../release.ts';
import { createAdoptionStore } from './adoption-store.ts';
import { createReleaseChanges } from './release-changes.ts';
import { RELEASE, seenIn } from './release-facts.ts';

/** Releases that projects have seen. Source: PostgreSQL. Every call is scoped by organization. */
export function createReleaseStore(db: Kysely<Database>) {
  return {
    ...createReleaseLists(db),
    ...createReleaseChanges(db),
    ...createAdoptionStore(db),

    /**
     * Releases of all the given projects, newest first. `search` keeps those whose name contains it, in either case; empty
     * keeps all. `package` keeps those of one package, null those without one.
     */
    async listReleases(
      organizationId: number,
      projectIds: readonly number[],
      filter: { search: string; package?: string | null; limit: number },
    ): Promise<readonly ReleaseSummary[]> {
      const ids = [...new Set(projectIds)];
      return await query<ReleaseSummary>`
        SELECT version, coalesce(released_at, first_seen) AS date_ms FROM releases
        WHERE organization_id = ${organizationId} AND status = 'open'
          AND (SELECT count(*) FROM release_projects
               WHERE release_id = releases.id AND project_id = ANY(${ids}::bigint[])) = ${ids.length}
          AND position(lower(${toStorableText(filter.search)}) IN lower(version)) > 0
          AND (${filter.package === undefined}
            OR package IS NOT DISTINCT FROM ${filter.package == null ? null : toStorableText(filter.package)})
        ORDER BY date_ms DESC, id DESC LIMIT ${filter.limit}`.execute(db);
    },

    /** Whether an event of the issue was in the release. */
    async hasIssue(organizationId: number, version: string, issueId: number): Promise<boolean> {
      const found = await query`
        SELECT 1 FROM issue_releases JOIN releases ON releases.id = issue_releases.release_id
        WHERE issue_releases.issue_id = ${issueId} AND releases.organization_id = ${organizationId}
          AND releases.version = ${toStorableText(version)}`.first(db);
      return found !== null;
    },

    /** The newest release of each scope that has one, in the order in which regressions are detected. */
    async findNewest(
      organizationId: number,
      scopes: readonly PackageScope[],
    ): Promise<ReadonlyMap<PackageScope, string>> {
      const projects = await query<{ id: number }>`
        SELECT id FROM projects WHERE organization_id = ${organizationId}
          AND id = ANY(${scopes.map(({ projectId }) => projectId)}::bigint[])`.execute(db);
      const own = new Set(projects.map(({ id }) => id));
      return await findNewestReleases(
        db,
        scopes.filter(({ projectId }) => own.has(projectId)),
      );
    },
  };
}

export type ReleaseStore = ReturnType<typeof createReleaseStore>;

/** The part of the store that pages of releases are made of. */
export const createReleaseLists = (db: Kysely<Database>) => ({
  /**
   * Releases of any of the projects. `search` as in `listReleases`; `versions` keeps the named ones, null all; `range` those
   * that were released, or else made, within it.
   */
  async listPage(
    organizationId: number,
    projectIds: readonly number[],
    {
      search,
      versions,
      status,
      range = null,
      sort,
      limit,
      after,
    }: {
      search: string;
      versions: readonly string[] | null;
      /** null for any. */
      status: ReleaseStatus | null;
      range?: Range | null;
      sort: ReleaseSort;
      limit: number;
      after: ReleasePlace | null;
    },
  ): Promise<{ releases: readonly Release[]; next: ReleasePlace | null }> {
    const value = SORT_VALUES[sort];
    const rows = await query<Release & { sortValue: string }>`
      SELECT ${RELEASE}, ${value} AS sort_value FROM releases, ${seenIn(projectIds)}
      WHERE organization_id = ${organizationId} AND seen.projects IS NOT NULL
        AND position(lower(${toStorableText(search)}) IN lower(version)) > 0
        AND (${status === null} OR status = ${status})
        AND (${range === null} OR coalesce(released_at, created_at, first_seen) BETWEEN
          ${new Date(range?.fromMs ?? 0)} AND ${new Date(range?.toMs ?? 0)})
        AND (${versions === null} OR version = ANY(${(versions ?? []).map(toStorableText)}::text[]))
        AND (${after === null} OR (${value}, id) < (${toStorableText(after?.sortValue ?? '')} COLLATE "C", ${after?.id ?? 0}))
      ORDER BY sort_value DESC, id DESC LIMIT ${limit + 1}`.execute(db);
    const last = rows[limit - 1];
    return {
      releases: rows.slice(0, limit).map(({ sortValue: _sortValue, ...release }) => release),
      next: rows.length > limit && last ? { sortValue: last.sortValue, id: last.id } : null,
    };
  },

  /** null when none of the projects has seen it. */
  findRelease: (
    organizationId: number,
    projectIds: readonly number[],
    version: string,
  ): Promise<Release | null> =>
    query<Release>`
      SELECT ${RELEASE} FROM releases, ${seenIn(projectIds)}
      WHERE organization_id = ${organizationId} AND version = ${toStorableText(version)} AND seen.projects IS NOT NULL
      `.first(db),

  /**
   * The releases of the same projects before and after it: by semantic version within its package, else by date; null
   * at either end.
   */
  async findNeighbours(
    organizationId: number,
    projectIds: readonly number[],
    releaseId: number,
  ): Promise<{ older: string | null; newer: string | null }> {
    const neighbours = await query<{ older: string | null; newer: string | null }>`
      WITH own AS (
        SELECT * FROM releases WHERE id = ${releaseId} AND organization_id = ${organizationId}
      ), others AS (
        SELECT releases.*, own.version_order IS NOT NULL AND releases.version_order IS NOT NULL
          AND releases.package IS NOT DISTINCT FROM own.package AS is_comparable
        FROM releases, own
        WHERE releases.organization_id = own.organization_id AND releases.id != own.id
          AND EXISTS (SELECT FROM release_projects
            WHERE release_id = releases.id AND project_id = ANY(${projectIds}::bigint[]))
      )
      SELECT ${neighbour('<', 'DESC')} AS older, ${neighbour('>', 'ASC')} AS newer FROM own`.first(db);
    return neighbours ?? { older: null, newer: null };
  },

  /** How many issues of a release were first seen, and came back, in the range. */
  async countReleaseIssues(
    organizationId: number,
    projectIds: readonly number[],
    version: string,
    range: Range,
  ): Promise<{ fresh: number; regressed: number }> {
    const [from, to] = [new Date(range.fromMs), new Date(range.toMs)];
    const counts = await query<{ fresh: number; regressed: number }>`
      SELECT count(*) FILTER (WHERE issues.first_release = ${version}
          AND issues.first_seen >= ${from} AND issues.first_seen < ${to}) AS fresh,
        count(*) FILTER (WHERE EXISTS (SELECT FROM activities
          WHERE activities.issue_id = issues.id AND type = 'set_regression' AND data ->> 'release' = ${version}
            AND activities.at >= ${from} AND activities.at < ${to})) AS regressed
      FROM issues
      WHERE issues.organization_id = ${organizationId} AND issues.project_id = ANY(${projectIds}::bigint[])
        AND ${IS_LISTED} AND issues.id IN (${seenWith(organizationId, version)})`.first(db);
    return counts ?? { fresh: 0, regressed: 0 };
  },

  /** Those seen last come first; `total` counts all of them. */
  async listIssues(
    organizationId: number,
    projectIds: readonly number[],
    version: string,
    which: ReleaseIssues,
    limit: number,
  ): Promise<{ issueIds: readonly number[]; total: number }> {
    const rows = await query<{ id: number; total: number }>`
      SELECT issues.id, count(*) OVER () AS total FROM issues
      WHERE issues.organization_id = ${organizationId} AND issues.project_id = ANY(${projectIds}::bigint[])
        AND ${IS_LISTED} AND ${condition(which, organizationId, version)}
      ORDER BY issues.last_seen DESC, issues.id DESC LIMIT ${limit}`.execute(db);
    return { issueIds: rows.map(({ id }) => id), total: rows[0]?.total ?? 0 };
  },
});

/** What is sorted by, as text that sorts by its bytes. */
const SORT_VALUES: Readonly<Record<ReleaseSort, RawBuilder<string>>> = {
  date: sql<string>`to_char(coalesce(released_at, first_seen) AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSUS') COLLATE "C"`,
  version: sql<string>`coalesce(version_order, '') COLLATE "C"`,
};

/** The release that comes next in one direction: by version where there is one to compare, else by date. */
const neighbour = (sign: '<' | '>', direction: 'ASC' | 'DESC') => {
  const [before, order] = [sql.raw(sign), sql.raw(direction)];
  return sql`CASE WHEN own.version_order IS NOT NULL
      AND EXISTS (SELECT FROM others WHERE is_comparable AND version_order != own.version_order)
    THEN (SELECT version FROM others WHERE is_comparable AND version_order ${before} own.version_order
      ORDER BY version_order ${order}, id ${order} LIMIT 1)
    ELSE (SELECT version FROM others
      WHERE (coalesce(released_at, first_seen), id) ${before} (coalesce(own.released_at, own.first_seen), own.id)
      ORDER BY coalesce(released_at, first_seen) ${order}, id ${order} LIMIT 1) END`;
};

function condition(which: ReleaseIssues, organizationId: number, version: string): RawBuilder<unknown> {
  switch (which) {
    case 'new':
      return sql`issues.first_release = ${version} AND issues.id IN (${seenWith(organizationId, version)})`;
    case 'regressed':
      return sql`issues.id IN (${seenWith(organizationId, version)}) AND EXISTS (
        SELECT FROM activities WHERE activities.issue_id = issues.id AND type = 'set_regression'
          AND data ->> 'release' = ${version})`;
    case 'resolved':
      return sql`issues.status = 'resolved' AND issues.resolution ->> 'kind' = 'release'
        AND issues.resolution ->> 'release' = ${version}`;
  }
}

const seenWith = (organizationId: number, version: string) => sql`
  SELECT issue_id FROM issue_releases JOIN releases ON releases.id = issue_releases.release_id
  WHERE releases.organization_id = ${organizationId} AND releases.version = ${version}`;
