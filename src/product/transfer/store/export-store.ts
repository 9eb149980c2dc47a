import { type Kysely, sql } from 'kysely';
import type { Activity, Issue } from '#domain/issues/issue.ts';
import { selectActivities, selectIssues, toIssue } from '#product/issues/store/issue-row.ts';
import type { Monitor } from '#product/monitors/monitor.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';

/** What belongs to an issue beside itself. */
export type IssueExtras = {
  issueId: number;
  hashes: readonly string[];
  /** Addresses. */
  subscribers: readonly string[];
  bookmarkedBy: readonly string[];
  links: readonly { url: string; title: string }[];
};

export type ExportedRelease = {
  id: number;
  version: string;
  firstSeen: number;
  createdAt: number | null;
  releasedAt: number | null;
  url: string | null;
  ref: string | null;
  projectIds: readonly number[];
  commits: readonly {
    key: string;
    repository: string;
    message: string;
    authorName: string | null;
    authorEmail: string | null;
    at: string;
    files: readonly { path: string; change: 'A' | 'M' | 'D' }[];
  }[];
  deploys: readonly {
    environment: string;
    name: string | null;
    url: string | null;
    startedAt: string | null;
    finishedAt: string;
  }[];
};

export type ExportedMonitor = Omit<
  Monitor,
  'guid' | 'organizationId' | 'isUpserting' | 'configProblem' | 'createdAt'
>;

export type ExportedSearch = {
  id: number;
  name: string;
  query: string;
  sort: string | null;
  email: string;
  isShared: boolean;
  dataset: string;
  question: Record<string, unknown> | null;
};

/** Everything of an organization in pages, for an export. Source: PostgreSQL. Every call is scoped by organization. */
export const createExportStore = (db: Kysely<Database>) => ({
  listEnvironments: (
    organizationId: number,
  ): Promise<readonly { projectId: number; name: string; firstSeen: number }[]> =>
    query<{ projectId: number; name: string; firstSeen: number }>`
      SELECT project_id, name, first_seen FROM environments WHERE organization_id = ${organizationId}
      ORDER BY project_id, name`.execute(db),

  /** By number, after one. */
  listReleases: (organizationId: number, after: number, limit: number): Promise<readonly ExportedRelease[]> =>
    query<ExportedRelease>`
      SELECT id, version, first_seen, created_at, released_at, url, ref,
        ARRAY(SELECT project_id::float8 FROM release_projects WHERE release_id = releases.id ORDER BY 1) AS project_ids,
        coalesce((SELECT json_agg(json_build_object('key', c.key, 'repository', repositories.name, 'message', c.message,
          'authorName', c.author_name, 'authorEmail', c.author_email, 'at', c.committed_at,
          'files', coalesce((SELECT json_agg(json_build_object('path', path, 'change', change) ORDER BY path)
            FROM commit_files WHERE commit_id = c.id), '[]')) ORDER BY rc.position)
          FROM release_commits rc JOIN commits c ON c.id = rc.commit_id
          JOIN repositories ON repositories.id = c.repository_id WHERE rc.release_id = releases.id), '[]') AS commits,
        coalesce((SELECT json_agg(json_build_object('environment', environment, 'name', name, 'url', url,
          'startedAt', started_at, 'finishedAt', finished_at) ORDER BY id)
          FROM deploys WHERE release_id = releases.id), '[]') AS deploys
      FROM releases WHERE organization_id = ${organizationId} AND id > ${after} ORDER BY id LIMIT ${limit}`.execute(
      db,
    ),

  /** Issues of the projects by number, after one. */
  async listIssues(
    organizationId: number,
    projectIds: readonly number[],
    after: number,
    limit: number,
  ): Promise<readonly Issue[]> {
    const rows = await selectIssues(db)
      .where('issues.organization_id', '=', organizationId)
      .where(sql<boolean>`issues.project_id = ANY(${projectIds}::bigint[])`)
      .where('issues.id', '>', after)
      .orderBy('issues.id')
      .limit(limit)
      .execute();
    return rows.map(toIssue);
  },

  listExtras: (organizationId: number, issueIds: readonly number[]): Promise<readonly IssueExtras[]> =>
    query<IssueExtras>`
      SELECT id AS issue_id,
        ARRAY(SELECT hash FROM grouping_hashes WHERE issue_id = issues.id ORDER BY hash) AS hashes,
        ARRAY(SELECT users.email FROM issue_subscriptions s JOIN users ON users.id = s.user_id
          WHERE s.issue_id = issues.id AND s.is_subscribed ORDER BY 1) AS subscribers,
        ARRAY(SELECT users.email FROM issue_bookmarks b JOIN users ON users.id = b.user_id
          WHERE b.issue_id = issues.id ORDER BY 1) AS bookmarked_by,
        coalesce((SELECT json_agg(json_build_object('url', url, 'title', title) ORDER BY id)
          FROM issue_links WHERE issue_id = issues.id), '[]') AS links
      FROM issues WHERE organization_id = ${organizationId} AND id = ANY(${issueIds}::bigint[])`.execute(db),

  /** Oldest first. */
  listActivities: (
    organizationId: number,
    issueIds: readonly number[],
    limit: number,
  ): Promise<readonly Activity[]> =>
    selectActivities(sql`
      WHERE issues.organization_id = ${organizationId} AND a.issue_id = ANY(${issueIds}::bigint[])
      ORDER BY a.issue_id, a.at, a.id LIMIT ${limit}`).execute(db),

  /** Which issue each hash of the project belongs to. */
  async findIssueIds(projectId: number, hashes: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await query<{ hash: string; issueId: number }>`
      SELECT hash, issue_id FROM grouping_hashes
      WHERE project_id = ${projectId} AND hash = ANY(${hashes}::text[])`.execute(db);
    return new Map(rows.map(({ hash, issueId }) => [hash, issueId]));
  },

  listMonitors: (
    organizationId: number,
    projectIds: readonly number[],
  ): Promise<readonly ExportedMonitor[]> =>
    query<ExportedMonitor>`
      SELECT id, project_id, slug, name, schedule, time_zone, checkin_margin, max_runtime, failure_issue_threshold,
        recovery_threshold, owner_user_id, owner_team_id, is_disabled, is_muted
      FROM monitors WHERE organization_id = ${organizationId} AND project_id = ANY(${projectIds}::bigint[])
      ORDER BY id`.execute(db),

  /** Private ones as well. */
  listSearches: (organizationId: number): Promise<readonly ExportedSearch[]> =>
    query<ExportedSearch>`
      SELECT s.id, s.name, s.query, s.sort, users.email, s.is_shared, s.dataset, s.question
      FROM saved_searches s JOIN users ON users.id = s.user_id
      WHERE s.organization_id = ${organizationId} ORDER BY s.id`.execute(db),
});

export type ExportStore = ReturnType<typeof createExportStore>;
