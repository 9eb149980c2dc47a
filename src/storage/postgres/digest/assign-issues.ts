import { sql, type Transaction } from 'kysely';
import { unavailable } from '#lib/errors.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import type { OwnerReference } from '#protocol/ownership.ts';
import type { FindIssueOwner } from '#storage/ports/digest.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';
import { createIssues, findIssueIds } from './create-issues.ts';
import { foldEvents, hashKey, type IssueDelta, mergeDeltas } from './issue-delta.ts';
import { type TouchedIssue, writeIssueEntries, writeTexts } from './issue-outbox.ts';
import { updateIssues } from './update-issues.ts';

export type AssignedIssues = {
  /** Of each grouping hash of the batch (`projectId:hash`); hashes of projects that are gone are missing. */
  issueIds: ReadonlyMap<string, number>;
  newIssues: number;
  regressions: number;
};

/**
 * Finds or creates the issue of every event, and moves counters, times, states and texts. An issue is found by any of
 * an event's hashes, the first known one, and the others become its own. `newReleases` may have appeared with the
 * batch. Locks are taken in one order by everybody: projects by id, then issues by id. A project's lock is only needed
 * to map hashes in it, and then keeps others from mapping the same ones.
 */
export async function assignIssues(
  transaction: Transaction<Database>,
  events: readonly DigestedEvent[],
  around: {
    newReleases: readonly { projectId: number; version: string }[];
    findOwner: FindIssueOwner;
  },
  nowMs: number,
): Promise<AssignedIssues> {
  const deltas = foldEvents(events);
  const issueIds = await findIssueIds(transaction, deltas);
  const isMapped = (delta: IssueDelta) =>
    delta.hashes.every((hash) => issueIds.has(hashKey(delta.projectId, hash)));
  const incomplete = deltas.filter((delta) => !isMapped(delta));
  const created = incomplete.length === 0 ? [] : await createIssues(transaction, incomplete, issueIds, nowMs);
  const createdIds = new Set(created.map((issue) => issue.issueId));

  const known = new Map<number, IssueDelta>();
  for (const delta of deltas) {
    const issueId = issueIds.get(hashKey(delta.projectId, delta.hashes[0]!));
    if (issueId === undefined || createdIds.has(issueId)) continue;
    const merged = known.get(issueId);
    known.set(issueId, merged ? mergeDeltas(merged, delta) : delta);
  }
  const updated = await updateIssues(transaction, known, around.newReleases, nowMs);
  if (updated.length < known.size) {
    throw unavailable('An issue was deleted while its events were being counted: counting again');
  }
  const touched: readonly TouchedIssue[] = [...created, ...updated.filter((issue) => issue.isNewest)];
  await writeTexts(transaction, touched);
  await writeIssueEntries(transaction, created, updated, nowMs);
  await writeOwners(
    transaction,
    [...created.filter(({ delta }) => !delta.isImport), ...updated.filter(({ transition }) => transition)],
    around.findOwner,
    nowMs,
  );
  const regressions = updated.filter(({ transition }) => transition?.kind === 'regression').length;
  return { issueIds, newIssues: created.length, regressions };
}

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
