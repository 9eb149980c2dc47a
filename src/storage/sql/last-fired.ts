import { type Kysely, sql } from 'kysely';
import type { Database } from './schema.ts';

export async function findLastFired(
  db: Kysely<Database>,
  pairs: readonly { ruleId: number; issueId: number }[],
): Promise<Map<string, number>> {
  if (pairs.length === 0) return new Map();
  const { rows } = await sql<{ rule_id: number; issue_id: number; at: Date }>`
    SELECT asked.rule_id, asked.issue_id, max(f.fired_at) AS at
    FROM unnest(${pairs.map(({ ruleId }) => ruleId)}::bigint[], ${pairs.map(({ issueId }) => issueId)}::bigint[])
      AS asked (rule_id, issue_id)
    JOIN alert_firings f ON f.issue_id = asked.issue_id AND f.rule_id = asked.rule_id
    GROUP BY asked.rule_id, asked.issue_id`.execute(db);
  return new Map(rows.map((row) => [`${row.rule_id}:${row.issue_id}`, row.at.getTime()]));
}
