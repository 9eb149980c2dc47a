import { type Kysely, type RawBuilder, sql } from 'kysely';
import { ISSUE_STATUSES } from '#domain/issues/issue.ts';
import { IS_LISTED } from '#product/issues/store/is-listed.ts';
import type { TimeRange } from '#storage/ports/events.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';

/** Issues that something happened to: how many, and the first of them. */
export type IssueTransitions = { total: number; issueIds: readonly number[] };

export type OverviewFacts = {
  /** First seen in the range, the most frequent first. */
  created: IssueTransitions;
  /** Came back in the range, the latest first. */
  regressed: IssueTransitions;
  /** Resolved in the range and resolved still, the latest first. */
  fixed: IssueTransitions;
  /** Rules that fired most. */
  rules: readonly { ruleId: number; name: string; projectId: number; firings: number }[];
};

const RESOLVED = ['set_resolved', 'set_resolved_in_release', 'set_resolved_in_commit'];

/** What a week was like. Source: PostgreSQL. */
export function createOverviewStore(db: Kysely<Database>) {
  return {
    /** Of the projects; at most `limit` of each list. */
    async summarize(
      organizationId: number,
      projectIds: readonly number[],
      { fromMs, toMs }: TimeRange,
      limit: number,
    ): Promise<OverviewFacts> {
      const [from, to] = [new Date(fromMs), new Date(toMs)];
      const isOwn = sql`issues.organization_id = ${organizationId} AND issues.project_id = ANY(${projectIds}::bigint[])
        AND ${IS_LISTED}`;
      const transitioned = (types: readonly string[], andSo: RawBuilder<unknown>) =>
        readTransitions(
          db,
          sql`SELECT issue_id, max(at) AS rank FROM activities JOIN issues ON issues.id = issue_id
            WHERE activities.type = ANY(${types}::text[])
              AND activities.type IN ('set_regression', 'set_resolved', 'set_resolved_in_release', 'set_resolved_in_commit')
              AND at >= ${from} AND at < ${to} AND ${isOwn} AND ${andSo}
            GROUP BY issue_id`,
          limit,
        );
      const [created, regressed, fixed, rules] = await Promise.all([
        readTransitions(
          db,
          sql`SELECT id AS issue_id, times_seen AS rank FROM issues
            WHERE ${isOwn} AND status = ANY(${ISSUE_STATUSES}::text[]) AND first_seen >= ${from} AND first_seen < ${to}`,
          limit,
        ),
        transitioned(['set_regression'], sql`true`),
        transitioned(RESOLVED, sql`issues.status = 'resolved'`),
        query<OverviewFacts['rules'][number]>`
          SELECT alert_rules.id AS rule_id, name, alert_rules.project_id, count(*)::int AS firings
          FROM alert_firings JOIN alert_rules ON alert_rules.id = rule_id
          WHERE alert_firings.organization_id = ${organizationId} AND fired_at >= ${from} AND fired_at < ${to}
            AND alert_rules.project_id = ANY(${projectIds}::bigint[])
          GROUP BY alert_rules.id ORDER BY firings DESC, alert_rules.id LIMIT ${limit}`.execute(db),
      ]);
      return { created, regressed, fixed, rules };
    },

    /** Feedback that was sent in the range and is no spam, the latest first, at most `limit`. */
    listFeedback: (
      organizationId: number,
      projectIds: readonly number[],
      { fromMs, toMs }: TimeRange,
      limit: number,
    ): Promise<IssueTransitions> =>
      readTransitions(
        db,
        sql`SELECT id AS issue_id, first_seen AS rank FROM issues
          WHERE organization_id = ${organizationId} AND project_id = ANY(${projectIds}::bigint[]) AND NOT ${IS_LISTED}
            AND status IN ('unresolved', 'resolved')
            AND first_seen >= ${new Date(fromMs)} AND first_seen < ${new Date(toMs)}`,
        limit,
      ),
  };
}

export type OverviewStore = ReturnType<typeof createOverviewStore>;

async function readTransitions(
  db: Kysely<Database>,
  ranked: RawBuilder<unknown>,
  limit: number,
): Promise<IssueTransitions> {
  const rows = await query<{ issueId: number; total: number }>`
    WITH ranked AS (${ranked})
    SELECT issue_id, (SELECT count(*) FROM ranked)::int AS total FROM ranked
    ORDER BY rank DESC, issue_id DESC LIMIT ${limit}`.execute(db);
  return { total: rows[0]?.total ?? 0, issueIds: rows.map(({ issueId }) => issueId) };
}
