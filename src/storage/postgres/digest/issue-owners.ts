import { sql, type Transaction } from 'kysely';
import type { OwnerReference } from '#protocol/ownership.ts';
import type { FindIssueOwner } from '#storage/ports/digest.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';
import type { TouchedIssue } from './issue-outbox.ts';

/** Gives issues that belong to nobody to their owners, as the rules of their projects say; one statement, or none. */
export async function writeOwners(
  transaction: Transaction<Database>,
  issues: readonly TouchedIssue[],
  findOwner: FindIssueOwner,
  nowMs: number,
): Promise<void> {
  const candidates = issues.flatMap(({ issueId, delta }) => {
    const found = findOwner(delta.newest);
    return (found?.owners ?? []).map((owner, rank) => ({
      issue_id: issueId,
      organization_id: delta.organizationId,
      rank,
      kind: owner.kind,
      name: nameOf(owner),
      rule: found?.rule,
    }));
  });
  if (candidates.length === 0) return;
  await sql`
    WITH candidates AS (
      SELECT * FROM json_to_recordset(${toStorableJson(candidates)}::json) AS candidate (issue_id bigint,
        organization_id bigint, rank integer, kind text, name text, rule jsonb)
    ), members AS (
      SELECT c.issue_id, c.rank, c.rule, users.id AS user_id, NULL::bigint AS team_id
      FROM candidates c JOIN memberships m ON m.organization_id = c.organization_id
      JOIN users ON users.id = m.user_id AND CASE c.kind
        WHEN 'email' THEN lower(users.email) = c.name
        WHEN 'handle' THEN c.name IN (lower(split_part(users.email, '@', 1)), lower(replace(users.name, ' ', '')))
        ELSE false END
    ), found AS (
      SELECT * FROM members
      UNION ALL
      SELECT c.issue_id, c.rank, c.rule, NULL, teams.id FROM candidates c
      JOIN teams ON teams.organization_id = c.organization_id AND c.kind = 'team' AND teams.slug = c.name
    ), chosen AS (
      SELECT DISTINCT ON (issue_id) * FROM found ORDER BY issue_id, rank, user_id
    ), assigned AS (
      UPDATE issues SET assignee_user_id = chosen.user_id, assignee_team_id = chosen.team_id FROM chosen
      WHERE issues.id = chosen.issue_id AND num_nonnulls(issues.assignee_user_id, issues.assignee_team_id) = 0
      RETURNING issues.id, chosen.user_id, chosen.team_id, chosen.rule
    ), subscribed AS (
      INSERT INTO issue_subscriptions (issue_id, user_id, is_subscribed, reason)
      SELECT id, user_id, true, 'assigned' FROM assigned WHERE user_id IS NOT NULL
      ON CONFLICT DO NOTHING
    )
    INSERT INTO activities (issue_id, type, data, at)
    SELECT id, 'assigned',
      jsonb_build_object('assigneeUserId', user_id, 'assigneeTeamId', team_id, 'rule', rule), ${new Date(nowMs)}
    FROM assigned`.execute(transaction);
}

function nameOf(owner: OwnerReference): string {
  if (owner.kind === 'email') return owner.email;
  return owner.kind === 'team' ? owner.slug : owner.handle;
}
