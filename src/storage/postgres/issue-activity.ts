import { sql, type Transaction } from 'kysely';
import type { ActivityType } from '#domain/issues/issue.ts';
import { notifyChanges } from './change-feed.ts';
import type { Database } from './schema.ts';
import { toStorableJson } from './storable-json.ts';

/** Notes what was done to an issue, and tells the pages that follow it. */
export async function noteActivity(
  transaction: Transaction<Database>,
  issue: { id: number; organizationId: number; projectId: number },
  activity: { type: ActivityType; data: object; userId: string | null; atMs: number },
): Promise<void> {
  await sql`
    INSERT INTO activities (issue_id, type, user_id, data, at)
    VALUES (${issue.id}, ${activity.type}, ${activity.userId}, ${toStorableJson(activity.data)}::jsonb,
      ${new Date(activity.atMs)})`.execute(transaction);
  await notifyChanges(transaction, [issue]);
}

/** Locks an issue of the organization; null when there is none. */
export async function lockIssue(
  transaction: Transaction<Database>,
  organizationId: number,
  issueId: number,
): Promise<{ id: number; organizationId: number; projectId: number } | null> {
  const { rows } = await sql<{ project_id: number }>`
    SELECT project_id FROM issues WHERE organization_id = ${organizationId} AND id = ${issueId}
    FOR NO KEY UPDATE`.execute(transaction);
  return rows[0] ? { id: issueId, organizationId, projectId: rows[0].project_id } : null;
}
