import { type Kysely, sql, type Transaction } from 'kysely';
import { conflict } from '#lib/errors.ts';
import type { RegroupCursor } from '#storage/ports/regroup-events.ts';
import { lockHashIndex } from '#storage/sql/hash-index-lock.ts';
import { notifyChanges } from '#storage/sql/notices.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import type { GroupingChange, GroupingRuleTexts } from '../grouping-change.ts';
import { getChange, listSplits, refuseWhileRunning } from './change-rows.ts';
import { dissolveEmptyIssues, keepIssues, recountIssues, restoreIssuesOf } from './dissolve-issues.ts';
import { shiftCounts } from './move-hashes.ts';
import { findActiveRules, insertVersion } from './rules-store.ts';

/** Undoes a change; rows of a regroup follow as a job. Throws Conflict when a later change touched the hashes. */
export async function undoChange(
  db: Kysely<Database>,
  organizationId: number,
  changeId: number,
  userId: string | null,
  nowMs: number,
): Promise<GroupingChange> {
  return await db.transaction().execute(async (transaction) => {
    const { projectId } = await getChange(transaction, organizationId, changeId);
    await lockHashIndex(transaction, projectId);
    await refuseWhileRunning(transaction, projectId);
    const change = await getChange(transaction, organizationId, changeId);
    await refuseUnlessLast(transaction, change);
    const at = new Date(nowMs);
    if (change.kind === 'regroup') {
      await takeBackRules(transaction, change, userId, nowMs);
      await takeBackCounts(transaction, change);
    }
    await takeBackMap(transaction, change);
    if (change.kind === 'regroup') {
      const newestMs = await findOldestOfNew(transaction, changeId, change.appliedAt ?? nowMs);
      const cursor: RegroupCursor = {
        round: 0,
        step: 'move',
        sinceMs: null,
        startedAt: nowMs,
        newestMs,
        firstNewestMs: newestMs,
        day: null,
        after: null,
      };
      await sql`
        UPDATE grouping_changes SET state = 'undoing', undone_at = ${at}, finished_at = NULL,
          cursor = ${JSON.stringify(cursor)}::jsonb, events_seen = 0, events_total = 0, lease_owner = NULL,
          lease_until = NULL
        WHERE id = ${changeId}`.execute(transaction);
    } else {
      await dropEmptyIssues(transaction, change);
      await sql`
        UPDATE grouping_changes SET state = 'undone', undone_at = ${at}, finished_at = ${at}
        WHERE id = ${changeId}`.execute(transaction);
    }
    await notifyChanges(transaction, [change]);
    return await getChange(transaction, organizationId, changeId);
  });
}

/** What had arrived and was not stored yet when the rules changed was grouped by the new ones. */
async function findOldestOfNew(
  transaction: Transaction<Database>,
  changeId: number,
  appliedAtMs: number,
): Promise<number> {
  const { rows } = await sql<{ ms: number | null }>`
    SELECT (cursor->>'firstNewestMs')::bigint AS ms FROM grouping_changes WHERE id = ${changeId}
  `.execute(transaction);
  return Math.min(appliedAtMs, rows[0]?.ms ?? appliedAtMs);
}

async function refuseUnlessLast(transaction: Transaction<Database>, change: GroupingChange): Promise<void> {
  if (change.state !== 'done') {
    throw conflict(
      change.state === 'undone' ? 'This has already been undone' : 'Nothing to undo: no changes were made',
    );
  }
  if (change.kind === 'reprocess') {
    throw conflict('Reprocessing stored events with source maps cannot be undone');
  }
  const later = await query<{ kind: string }>`
    SELECT later.kind FROM grouping_changes later
    WHERE later.project_id = ${change.projectId} AND later.id > ${change.id} AND later.state = 'done' AND EXISTS (
      SELECT FROM grouping_change_hashes mine
      JOIN grouping_change_hashes theirs ON theirs.change_id = later.id AND theirs.hash = mine.hash
      WHERE mine.change_id = ${change.id}
    )
    ORDER BY later.kind = 'reprocess' DESC LIMIT 1`.first(transaction);
  if (later?.kind === 'reprocess') {
    throw conflict('This can no longer be undone: the events have since been reprocessed with source maps');
  }
  if (later) throw conflict('A later change moved the same events: undo that change first');
}

/** The former texts count again, as a version of their own. */
async function takeBackRules(
  transaction: Transaction<Database>,
  change: GroupingChange,
  userId: string | null,
  nowMs: number,
): Promise<void> {
  const textsOf = (version: number | null) =>
    query<GroupingRuleTexts>`
      SELECT fingerprint, stack_trace FROM grouping_rules
      WHERE project_id = ${change.projectId} AND version = ${version}`.first(transaction);
  const former = await textsOf(change.formerVersion);
  const active = await findActiveRules(transaction, change.organizationId, change.projectId);
  const own = await textsOf(change.rulesVersion);
  // The undo of a later change made a version of its own, with the texts of this one.
  const isOwn = own?.fingerprint === active.fingerprint && own.stackTrace === active.stackTrace;
  await insertVersion(
    transaction,
    change.organizationId,
    change.projectId,
    {
      fingerprint: former?.fingerprint ?? '',
      stackTrace: former?.stackTrace ?? '',
      authorUserId: userId,
      restoredFrom: change.formerVersion === 0 ? null : change.formerVersion,
      basedOn: isOwn ? active.version : (change.rulesVersion ?? 0),
    },
    nowMs,
    nowMs,
  );
}

async function takeBackCounts(transaction: Transaction<Database>, change: GroupingChange): Promise<void> {
  const { rows } = await sql<{ hash: string }>`
    SELECT noted.hash FROM grouping_change_hashes noted
    JOIN grouping_hashes known ON known.project_id = ${change.projectId} AND known.hash = noted.hash
      AND known.issue_id = noted.after_issue_id
    WHERE noted.change_id = ${change.id}`.execute(transaction);
  const there = new Set(rows.map(({ hash }) => hash));
  // An issue that was deleted since took its events along.
  const splits = (await listSplits(transaction, change.id, 'apply', null)).filter(({ to }) => there.has(to));
  await shiftCounts(
    transaction,
    change.projectId,
    splits.map((split) => ({ ...split, from: split.to, to: split.from })),
    new Map(),
  );
  // What came since is newer than what was there.
  await sql`
    UPDATE grouping_hashes SET first_seen = noted.first_seen,
      last_seen = CASE WHEN grouping_hashes.times_seen = noted.times_seen THEN noted.last_seen
        ELSE grouping_hashes.last_seen END
    FROM grouping_change_hashes noted
    WHERE noted.change_id = ${change.id} AND noted.times_seen > 0
      AND grouping_hashes.project_id = ${change.projectId} AND grouping_hashes.hash = noted.hash
  `.execute(transaction);
}

/** Hashes that the hash index did not know stay until their events have gone: some may come still. */
async function takeBackMap(transaction: Transaction<Database>, change: GroupingChange): Promise<void> {
  const { rows: returning } = await sql<{ issue_id: number }>`
    SELECT DISTINCT gone.issue_id FROM grouping_change_issues gone
    JOIN grouping_change_hashes noted ON noted.change_id = gone.change_id AND noted.before_issue_id = gone.issue_id
    JOIN grouping_hashes known ON known.project_id = ${change.projectId} AND known.hash = noted.hash
      AND known.issue_id = noted.after_issue_id
    WHERE gone.change_id = ${change.id} AND gone.role = 'dissolved'`.execute(transaction);
  await restoreIssuesOf(
    transaction,
    change.id,
    returning.map((row) => row.issue_id),
  );
  const { rows: touched } = await sql<{ issue_id: number }>`
    SELECT known.issue_id FROM grouping_change_hashes noted
    JOIN grouping_hashes known ON known.project_id = ${change.projectId} AND known.hash = noted.hash
    WHERE noted.change_id = ${change.id}
    UNION SELECT issue_id FROM grouping_change_issues WHERE change_id = ${change.id}`.execute(transaction);
  await sql`
    UPDATE grouping_hashes SET issue_id = noted.before_issue_id, stands_for = noted.stands_for
    FROM grouping_change_hashes noted
    WHERE noted.change_id = ${change.id} AND grouping_hashes.project_id = ${change.projectId}
      AND grouping_hashes.hash = noted.hash AND grouping_hashes.issue_id = noted.after_issue_id
      AND EXISTS (SELECT FROM issues WHERE issues.id = noted.before_issue_id)`.execute(transaction);
  await takeBackTexts(transaction, change.id);
  await sql`
    DELETE FROM activities WHERE type IN ('merge', 'unmerge_source', 'unmerge_destination')
      AND (data->>'changeId')::bigint = ${change.id}
      AND issue_id = ANY(${touched.map((row) => row.issue_id)}::bigint[])`.execute(transaction);
  await recountIssues(
    transaction,
    touched.map((row) => row.issue_id),
  );
}

/** What was read off the newest event, of issues that were there before and stayed. */
async function takeBackTexts(transaction: Transaction<Database>, changeId: number): Promise<void> {
  await sql`
    UPDATE issues SET title = past.title, culprit = past.culprit, level = past.level, metadata = past.metadata,
      first_release = past.first_release, last_release = past.last_release
    FROM grouping_change_issues touched
    JOIN grouping_change_rows kept ON kept.change_id = touched.change_id AND kept.issue_id = touched.issue_id
      AND kept.table_name = 'issues'
    CROSS JOIN LATERAL jsonb_populate_record(NULL::issues, kept.content) AS past
    WHERE touched.change_id = ${changeId} AND touched.role = 'kept' AND issues.id = touched.issue_id
  `.execute(transaction);
  await sql`
    UPDATE issue_texts SET content = kept.content->>'content'
    FROM grouping_change_issues touched
    JOIN grouping_change_rows kept ON kept.change_id = touched.change_id AND kept.issue_id = touched.issue_id
      AND kept.table_name = 'issue_texts'
    WHERE touched.change_id = ${changeId} AND touched.role = 'kept' AND issue_texts.issue_id = touched.issue_id
  `.execute(transaction);
}

/** Issues that the change made, and that no hash leads to any more, become part of those that they were split from. */
export async function dropEmptyIssues(
  transaction: Transaction<Database>,
  change: { id: number },
): Promise<void> {
  const { rows } = await sql<{ issue_id: number; into_id: number }>`
    SELECT made.issue_id, coalesce(redirect.issue_id, origin.id) AS into_id FROM grouping_change_issues made
    JOIN issues ON issues.id = made.issue_id
    LEFT JOIN issues origin ON origin.id = made.other_issue_id
    LEFT JOIN issue_redirects redirect ON redirect.old_issue_id = made.other_issue_id
    WHERE made.change_id = ${change.id} AND made.role = 'created'
      AND coalesce(redirect.issue_id, origin.id) IS NOT NULL
      AND NOT EXISTS (SELECT FROM grouping_hashes WHERE issue_id = made.issue_id)`.execute(transaction);
  await keepIssues(
    transaction,
    change.id,
    rows.map((row) => row.issue_id),
  );
  await dissolveEmptyIssues(
    transaction,
    change.id,
    rows.map((row) => ({ issueId: row.issue_id, into: row.into_id })),
  );
}
