import { type Kysely, sql } from 'kysely';
import type { Activity, Issue } from '#domain/issues/issue.ts';
import type { GroupingKey } from '#storage/ports/search.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { findIssues, selectActivities, selectIssues, toIssue } from './issue-row.ts';
import { createIssueTransitions } from './issue-transitions.ts';
import { createIssueTriage } from './issue-triage.ts';
import { createIssueSearch } from './search-issues.ts';

/** Issues and what people do to them. Source: PostgreSQL. Every call is scoped by organization. */
export function createIssueStore(db: Kysely<Database>) {
  return {
    ...createIssueTriage(db),
    ...createIssueTransitions(db),

    ...createIssueSearch(db),

    /** In no promised order; ids of other organizations are left out. */
    async findByIds(organizationId: number, issueIds: readonly number[]): Promise<readonly Issue[]> {
      return await findIssues(db, organizationId, issueIds);
    },

    /** null when the organization has no such issue. Upper and lower case are the same. */
    async findByShortId(organizationId: number, shortId: string): Promise<Issue | null> {
      const row = await selectIssues(db)
        .where('issues.organization_id', '=', organizationId)
        .where('issues.short_id', '=', shortId.toUpperCase())
        .executeTakeFirst();
      return row ? toIssue(row) : null;
    },

    /** Of the short ids, which are in capitals, those that there are. */
    async findIdsByShortIds(
      organizationId: number,
      shortIds: readonly string[],
    ): Promise<ReadonlyMap<string, number>> {
      const found = await query<{ id: number; shortId: string }>`
        SELECT id, short_id FROM issues
        WHERE organization_id = ${organizationId} AND short_id = ANY(${shortIds}::text[])`.execute(db);
      return new Map(found.map(({ shortId, id }) => [shortId, id]));
    },

    /** The issue that a grouping hash of a project belongs to; null when unknown. */
    async findByHash(organizationId: number, projectId: number, hash: string): Promise<Issue | null> {
      const row = await selectIssues(db)
        .innerJoin('grouping_hashes', 'grouping_hashes.issue_id', 'issues.id')
        .where('issues.organization_id', '=', organizationId)
        .where('grouping_hashes.project_id', '=', projectId)
        .where('grouping_hashes.hash', '=', hash)
        .executeTakeFirst();
      return row ? toIssue(row) : null;
    },

    /** Short ids of the issues that hold the hashes, by `projectId:hash`; hashes without an issue are left out. */
    async findShortIds(
      organizationId: number,
      hashes: readonly GroupingKey[],
    ): Promise<ReadonlyMap<string, string>> {
      const found = await query<{ key: string; shortId: string }>`
        SELECT DISTINCT wanted.project_id || ':' || wanted.hash AS key, issues.short_id
        FROM unnest(${hashes.map(({ projectId }) => projectId)}::bigint[],
          ${hashes.map(({ hash }) => hash)}::text[]) AS wanted (project_id, hash)
        JOIN grouping_hashes known ON known.project_id = wanted.project_id AND known.hash = wanted.hash
        JOIN issues ON issues.id = known.issue_id
        WHERE issues.organization_id = ${organizationId}`.execute(db);
      return new Map(found.map(({ key, shortId }) => [key, shortId]));
    },

    /** By short id. */
    async findTitles(
      organizationId: number,
      shortIds: readonly string[],
    ): Promise<ReadonlyMap<string, string>> {
      const found = await query<{ shortId: string; title: string }>`
        SELECT short_id, title FROM issues
        WHERE organization_id = ${organizationId} AND short_id = ANY(${shortIds}::text[])`.execute(db);
      return new Map(found.map(({ shortId, title }) => [shortId, title]));
    },

    /**
     * Of issues with several hashes, each hash but one by `projectId:hash`, with that one: what was merged, up to `max`.
     */
    async findStandIns(projectIds: readonly number[], max: number): Promise<ReadonlyMap<string, string>> {
      const found = await query<{ key: string; first: string }>`
        SELECT key, first FROM (
          SELECT project_id || ':' || hash AS key,
            first_value(project_id || ':' || hash) OVER (PARTITION BY issue_id ORDER BY hash) AS first
          FROM grouping_hashes WHERE project_id = ANY(${projectIds}::bigint[])) known
        WHERE key <> first LIMIT ${max}`.execute(db);
      return new Map(found.map(({ key, first }) => [key, first]));
    },

    /** Grouping hashes per issue. */
    async listHashes(
      organizationId: number,
      issueIds: readonly number[],
    ): Promise<ReadonlyMap<number, readonly string[]>> {
      const rows = await query<{ issueId: number; hashes: string[] }>`
        SELECT g.issue_id, array_agg(g.hash ORDER BY g.hash) AS hashes
        FROM grouping_hashes g JOIN issues ON issues.id = g.issue_id
        WHERE issues.organization_id = ${organizationId} AND g.issue_id = ANY(${issueIds}::bigint[])
        GROUP BY g.issue_id`.execute(db);
      return new Map(rows.map(({ issueId, hashes }) => [issueId, hashes]));
    },

    /** Newest first. */
    listActivity: (organizationId: number, issueId: number, limit: number): Promise<readonly Activity[]> =>
      selectActivities(sql`
        WHERE issues.organization_id = ${organizationId} AND a.issue_id = ${issueId}
        ORDER BY a.at DESC, a.id DESC LIMIT ${limit}`).execute(db),
  };
}

export type IssueStore = ReturnType<typeof createIssueStore>;
