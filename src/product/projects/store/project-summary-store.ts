import type { Kysely } from 'kysely';
import { ISSUE_STATUSES } from '#domain/issues/issue.ts';
import type { ProjectSummary } from '#domain/projects.ts';
import { IS_LISTED } from '#product/issues/store/is-listed.ts';
import type { TimeRange } from '#storage/ports/events.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';

/** What a program calls an error: exceptions, messages and reports of browsers. */
const CATEGORIES = ['error', 'default', 'security'] as const;
const BUCKETS_MAX = 1_000;

/** Several projects beside each other. Source: PostgreSQL. */
export function createProjectSummaryStore(db: Kysely<Database>) {
  return {
    /** One for each of the projects, in the same order. `bucketMs` is a whole number of hours. */
    async summarize(
      organizationId: number,
      projectIds: readonly number[],
      range: TimeRange,
      bucketMs: number,
    ): Promise<readonly ProjectSummary[]> {
      const length = Math.ceil((range.toMs - range.fromMs) / bucketMs);
      if (!(length >= 1 && length <= BUCKETS_MAX)) throw new Error(`${length} buckets cannot be counted`);
      const [counts, issues] = await Promise.all([
        query<{ projectId: number; bucket: number; quantity: number }>`
          SELECT project_id, bucket, sum(quantity)::bigint AS quantity FROM (
            SELECT project_id, quantity,
              greatest(0, floor((extract(epoch FROM hour) * 1000 - ${range.fromMs}::bigint) / ${bucketMs}::bigint))::int AS bucket
            FROM outcomes_hourly
            WHERE organization_id = ${organizationId} AND project_id = ANY(${projectIds}::bigint[])
              AND hour >= ${new Date(range.fromMs)} AND hour < ${new Date(range.toMs)}
              AND outcome = 'accepted' AND category = ANY(${CATEGORIES}::text[])
          ) AS counted GROUP BY project_id, bucket`.execute(db),
        query<Omit<ProjectSummary, 'buckets' | 'accepted'>>`
          SELECT projects.id AS project_id,
            (SELECT count(*) FROM issues WHERE organization_id = ${organizationId}
              AND status = ANY(${ISSUE_STATUSES}::text[]) AND project_id = projects.id AND ${IS_LISTED}
              AND first_seen >= ${new Date(range.fromMs)} AND first_seen < ${new Date(range.toMs)}) AS new_issues,
            (SELECT count(*) FROM issues WHERE project_id = projects.id AND status = 'unresolved'
              AND ${IS_LISTED}) AS unresolved_issues,
            (SELECT max(latest.last_seen) FROM unnest(${ISSUE_STATUSES}::text[]) AS known (status), LATERAL (
              SELECT last_seen FROM issues WHERE project_id = projects.id AND issues.status = known.status
              ORDER BY last_seen DESC LIMIT 1) latest) AS last_event_at,
            (SELECT public_key FROM client_keys WHERE project_id = projects.id AND is_active
              ORDER BY id LIMIT 1) AS public_key
          FROM projects
          WHERE projects.organization_id = ${organizationId} AND projects.id = ANY(${projectIds}::bigint[])
          `.execute(db),
      ]);
      const byId = new Map(issues.map((row) => [row.projectId, row]));
      const countsById = Map.groupBy(counts, (row) => row.projectId);
      return projectIds.map((projectId): ProjectSummary => {
        const buckets = Array<number>(length).fill(0);
        for (const { bucket, quantity } of countsById.get(projectId) ?? []) {
          buckets[bucket] = quantity;
        }
        const row = byId.get(projectId);
        return {
          projectId,
          buckets,
          accepted: buckets.reduce((sum, count) => sum + count, 0),
          newIssues: row?.newIssues ?? 0,
          unresolvedIssues: row?.unresolvedIssues ?? 0,
          lastEventAt: row?.lastEventAt ?? null,
          publicKey: row?.publicKey ?? null,
        };
      });
    },
  };
}

export type ProjectSummaryStore = ReturnType<typeof createProjectSummaryStore>;
