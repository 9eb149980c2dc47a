import { type Kysely, sql, type Transaction } from 'kysely';
import { invalid, notFound } from '#lib/errors.ts';
import { lockHashIndex } from '#storage/sql/hash-index-lock.ts';
import { notifyChanges } from '#storage/sql/notices.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import type { GroupingChange } from '../grouping-change.ts';
import { getChange, insertChange, refuseWhileRunning } from './change-rows.ts';
import {
  createIssueLike,
  dissolveIssues,
  keepIssues,
  recountIssues,
  restoreIssuesOf,
} from './dissolve-issues.ts';
import { moveHashes } from './move-hashes.ts';

/** Merges the issues into the target, and redirects their short ids. Throws NotFound, Conflict during a regroup. */
export async function mergeIssues(
  db: Kysely<Database>,
  organizationId: number,
  input: { targetId: number; issueIds: readonly number[] },
  userId: string | null,
  nowMs: number,
): Promise<GroupingChange> {
  const sources = [...new Set(input.issueIds)].filter((id) => id !== input.targetId);
  if (sources.length === 0) throw invalid('Choose at least two issues to merge', 'id');
  return await db.transaction().execute(async (transaction) => {
    const projectId = await lockOneProject(transaction, organizationId, [input.targetId, ...sources]);
    const changeId = await insertChange(
      transaction,
      { organizationId, projectId, kind: 'merge', state: 'done', userId },
      nowMs,
    );
    await keepIssues(transaction, changeId, [input.targetId, ...sources]);
    const { rows } = await sql<{ hash: string }>`
      SELECT hash FROM grouping_hashes WHERE issue_id = ANY(${sources}::bigint[]) ORDER BY hash
    `.execute(transaction);
    await moveHashes(
      transaction,
      { id: changeId, projectId },
      rows.map(({ hash }) => ({ hash, issueId: input.targetId })),
    );
    const gone = await query<{ shortId: string; title: string }>`
      SELECT short_id, title FROM issues WHERE id = ANY(${sources}::bigint[]) ORDER BY id LIMIT ${NAMED_MAX}
    `.execute(transaction);
    await dissolveIssues(
      transaction,
      changeId,
      sources.map((issueId) => ({ issueId, into: input.targetId })),
    );
    await recountIssues(transaction, [input.targetId]);
    await addActivity(transaction, input.targetId, 'merge', userId, nowMs, {
      changeId,
      count: sources.length,
      issues: gone,
    });
    await finishManual(transaction, { changeId, organizationId, projectId }, sources.length + 1, 1);
    return await getChange(transaction, organizationId, changeId);
  });
}

/** Moves hashes back to the issue they all came from, else to a new one; at least one stays. Throws as `merge`. */
export async function unmergeHashes(
  db: Kysely<Database>,
  organizationId: number,
  input: { issueId: number; hashes: readonly string[] },
  userId: string | null,
  nowMs: number,
): Promise<{ change: GroupingChange; issueId: number }> {
  const hashes = [...new Set(input.hashes)];
  return await db.transaction().execute(async (transaction) => {
    const { issueId } = input;
    const projectId = await lockOneProject(transaction, organizationId, [issueId]);
    const { rows: own } = await sql<{ hash: string }>`
      SELECT hash FROM grouping_hashes WHERE issue_id = ${issueId}`.execute(transaction);
    const known = new Set(own.map(({ hash }) => hash));
    if (hashes.length === 0 || !hashes.every((hash) => known.has(hash))) {
      throw notFound('Some of these hashes do not belong to the issue: reload the page');
    }
    if (hashes.length === known.size) {
      throw invalid('At least one hash must stay with the issue: deselect one', 'id');
    }
    const changeId = await insertChange(
      transaction,
      { organizationId, projectId, kind: 'unmerge', state: 'done', userId },
      nowMs,
    );
    await keepIssues(transaction, changeId, [issueId]);
    const newId =
      (await restoreMerged(transaction, issueId, hashes)) ??
      (await createIssueLike(transaction, { projectId, from: issueId, title: null }));
    await sql`
      INSERT INTO grouping_change_issues (change_id, issue_id, role, other_issue_id)
      VALUES (${changeId}, ${newId}, 'created', ${issueId})`.execute(transaction);
    await moveHashes(
      transaction,
      { id: changeId, projectId },
      hashes.map((hash) => ({ hash, issueId: newId })),
    );
    await recountIssues(transaction, [issueId, newId]);
    const names = await shortIdsOf(transaction, [issueId, newId]);
    const data = (other: number) => ({ changeId, hashes: hashes.length, shortId: names.get(other) ?? null });
    await addActivity(transaction, issueId, 'unmerge_source', userId, nowMs, data(newId));
    await addActivity(transaction, newId, 'unmerge_destination', userId, nowMs, data(issueId));
    await finishManual(transaction, { changeId, organizationId, projectId }, 1, 2);
    return { change: await getChange(transaction, organizationId, changeId), issueId: newId };
  });
}

/** Issues that an activity names; of more only the number is told. */
const NAMED_MAX = 20;

/** The project of all of these issues, whose hash index is the transaction's from here on. */
async function lockOneProject(
  transaction: Transaction<Database>,
  organizationId: number,
  issueIds: readonly number[],
): Promise<number> {
  const select = (lock: boolean) =>
    query<{ id: number; projectId: number }>`
      SELECT id, project_id FROM issues
      WHERE organization_id = ${organizationId} AND id = ANY(${issueIds}::bigint[])
      ORDER BY id ${lock ? sql`FOR UPDATE` : sql``}`.execute(transaction);
  const issues = await select(false);
  const projects = new Set(issues.map((issue) => issue.projectId));
  const [projectId] = projects;
  if (projectId === undefined || issues.length < issueIds.length) {
    throw notFound('Some of these issues no longer exist: reload the page');
  }
  if (projects.size > 1)
    throw invalid('Only issues in the same project can be merged: choose issues from one project', 'id');
  await lockHashIndex(transaction, projectId);
  await refuseWhileRunning(transaction, projectId);
  if ((await select(true)).length < issueIds.length) {
    throw notFound('Some of these issues no longer exist: reload the page');
  }
  return projectId;
}

/** The issue that the latest merge took all of these hashes from, there again; null when there is none. */
async function restoreMerged(
  transaction: Transaction<Database>,
  issueId: number,
  hashes: readonly string[],
): Promise<number | null> {
  const merges = await query<{ changeId: number; beforeIssueId: number; hashes: number }>`
    SELECT latest.change_id, latest.before_issue_id, count(*) AS hashes
    FROM (
      SELECT DISTINCT ON (entry.hash) entry.hash, entry.change_id, entry.before_issue_id
      FROM grouping_change_hashes entry
      JOIN grouping_changes change ON change.id = entry.change_id
      WHERE entry.hash = ANY(${hashes}::text[]) AND entry.after_issue_id = ${issueId} AND change.kind = 'merge'
        AND change.state = 'done'
      ORDER BY entry.hash, entry.change_id DESC
    ) AS latest
    JOIN grouping_change_issues gone ON gone.change_id = latest.change_id
      AND gone.issue_id = latest.before_issue_id AND gone.role = 'dissolved'
    JOIN issue_redirects redirect ON redirect.old_issue_id = latest.before_issue_id
    GROUP BY latest.change_id, latest.before_issue_id`.execute(transaction);
  const [former] = merges;
  if (merges.length !== 1 || !former || former.hashes !== hashes.length) return null;
  await restoreIssuesOf(transaction, former.changeId, [former.beforeIssueId]);
  return former.beforeIssueId;
}

async function shortIdsOf(
  transaction: Transaction<Database>,
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const issues = await query<{ id: number; shortId: string }>`
    SELECT id, short_id FROM issues WHERE id = ANY(${issueIds}::bigint[])`.execute(transaction);
  return new Map(issues.map(({ id, shortId }) => [id, shortId]));
}

async function addActivity(
  transaction: Transaction<Database>,
  issueId: number,
  type: string,
  userId: string | null,
  nowMs: number,
  data: object,
): Promise<void> {
  await sql`
    INSERT INTO activities (issue_id, type, user_id, data, at)
    VALUES (${issueId}, ${type}, ${userId}, ${JSON.stringify(data)}::jsonb, ${new Date(nowMs)})
  `.execute(transaction);
}

async function finishManual(
  transaction: Transaction<Database>,
  change: { changeId: number; organizationId: number; projectId: number },
  before: number,
  after: number,
): Promise<void> {
  await sql`
    UPDATE grouping_changes SET issues_before = ${before}, issues_after = ${after}
    WHERE id = ${change.changeId}`.execute(transaction);
  await notifyChanges(transaction, [change]);
}
