import type { Kysely } from 'kysely';
import type { AlertFiring, FiringDigest } from '#domain/alerts/alert-rule.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';

const RULES_MAX = 20;

/**
 * What came together in each message. Of an issue that triggered several rules, or that fired twice, its first firing
 * stands; of a metric its last, for that is how things are now.
 */
export async function readFirings(
  db: Kysely<Database>,
  deliveryIds: readonly string[],
  { issuesMax, metricsMax }: { issuesMax: number; metricsMax: number },
): Promise<ReadonlyMap<string, FiringDigest>> {
  if (deliveryIds.length === 0) return new Map();
  const rows = await query<DigestRow>`
    WITH joined AS (
      SELECT delivery_id, firing.* FROM delivery_firings JOIN alert_firings AS firing ON firing.id = firing_id
      WHERE delivery_id = ANY(${deliveryIds}::uuid[])
    ), distinct_firings AS (
      SELECT DISTINCT ON (delivery_id, issue_id, CASE WHEN issue_id IS NULL THEN rule_id END) *
      FROM joined
      ORDER BY delivery_id, issue_id, CASE WHEN issue_id IS NULL THEN rule_id END,
        CASE WHEN issue_id IS NULL THEN -id ELSE id END
    ), ranked AS (
      SELECT distinct_firings.*, row_number() OVER (PARTITION BY delivery_id, distinct_firings.issue_id IS NULL
          ORDER BY issues.times_seen DESC NULLS LAST, distinct_firings.id) AS place,
        count(distinct_firings.issue_id) OVER (PARTITION BY delivery_id) AS issues,
        count(*) FILTER (WHERE distinct_firings.issue_id IS NULL) OVER (PARTITION BY delivery_id) AS metrics
      FROM distinct_firings LEFT JOIN issues ON issues.id = distinct_firings.issue_id
    ), sums AS (
      SELECT delivery_id, count(*) AS total, min(fired_at) AS first_at FROM joined GROUP BY delivery_id
    ), rules AS (
      SELECT delivery_id, (array_agg(rule_id ORDER BY fired DESC, rule_id))[1:${RULES_MAX}] AS rule_ids
      FROM (SELECT delivery_id, rule_id, count(*) AS fired FROM joined GROUP BY delivery_id, rule_id) AS counted
      GROUP BY delivery_id
    )
    SELECT delivery_id, id, organization_id, project_id, rule_id, issue_id, event_id, cause, value, measured,
      measured_before, fired_at, issues,
      metrics, sums.total, sums.first_at, rules.rule_ids::text[] AS rule_ids
    FROM ranked JOIN sums USING (delivery_id) JOIN rules USING (delivery_id)
    WHERE place <= CASE WHEN issue_id IS NULL THEN ${metricsMax}::bigint ELSE ${issuesMax}::bigint END
    ORDER BY delivery_id, issue_id IS NOT NULL, place`.execute(db);
  return new Map(
    [...Map.groupBy(rows, ({ deliveryId }) => deliveryId)].map(([id, found]) => [id, toDigest(found)]),
  );
}

type DigestRow = AlertFiring &
  Pick<FiringDigest, 'issues' | 'metrics' | 'total' | 'firstAt'> & {
    deliveryId: string;
    ruleIds: readonly string[];
  };

function toDigest(rows: readonly DigestRow[]): FiringDigest {
  const [first] = rows;
  return {
    named: rows.map(({ deliveryId, issues, metrics, total, firstAt, ruleIds, ...firing }) => firing),
    issues: first?.issues ?? 0,
    metrics: first?.metrics ?? 0,
    total: first?.total ?? 0,
    firstAt: first?.firstAt ?? null,
    ruleIds: (first?.ruleIds ?? []).map(Number),
  };
}
