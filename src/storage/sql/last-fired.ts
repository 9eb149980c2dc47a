import type { Kysely } from 'kysely';
import { query } from './query.ts';
import type { Database } from './schema.ts';

export async function findLastFired(
  db: Kysely<Database>,
  pairs: readonly { ruleId: number; issueId: number }[],
): Promise<Map<string, number>> {
  if (pairs.length === 0) return new Map();
  const rows = await query<{ ruleId: number; issueId: number; at: number }>`
    SELECT asked.rule_id, asked.issue_id, max(f.fired_at) AS at
    FROM unnest(${pairs.map(({ ruleId }) => ruleId)}::bigint[], ${pairs.map(({ issueId }) => issueId)}::bigint[])
      AS asked (rule_id, issue_id)
    JOIN alert_firings f ON f.issue_id = asked.issue_id AND f.rule_id = asked.rule_id
    GROUP BY asked.rule_id, asked.issue_id`.execute(db);
  return new Map(rows.map(({ ruleId, issueId, at }) => [`${ruleId}:${issueId}`, at]));
}
