import { type Kysely, sql, type Transaction } from 'kysely';
import { lockHashIndex } from '#storage/sql/hash-index-lock.ts';
import { notifyChanges } from '#storage/sql/notices.ts';
import type { Database } from '#storage/sql/schema.ts';
import { dissolveIssues } from './dissolve-issues.ts';
import { type LeasedJob, type OwnedJob, ownJob } from './job-lease.ts';
import { dropEmptyIssues } from './undo-change.ts';

/** The last step: the change is done, or undone. False as `checkpoint`. */
export async function finishJob(db: Kysely<Database>, job: LeasedJob, nowMs: number): Promise<boolean> {
  return await db.transaction().execute(async (transaction) => {
    const change = await ownJob(transaction, job);
    if (!change) return false;
    await lockHashIndex(transaction, change.projectId);
    if (job.phase === 'undo') await dropWhatCameBetween(transaction, change);
    await sql`
      UPDATE grouping_changes SET state = ${job.phase === 'undo' ? 'undone' : 'done'},
        finished_at = ${new Date(nowMs)}, last_error = NULL, lease_owner = NULL, lease_until = NULL
      WHERE id = ${change.id}`.execute(transaction);
    await notifyChanges(transaction, [change]);
    return true;
  });
}

/** Hashes that only the rules gave which were taken back, and issues that only they made: without events by now. */
async function dropWhatCameBetween(transaction: Transaction<Database>, change: OwnedJob): Promise<void> {
  const { rows } = await sql<{ hash: string; issue_id: number; into_id: number | null }>`
    WITH emptied AS (
      SELECT hash FROM grouping_change_hashes WHERE change_id = ${change.id} AND before_issue_id IS NULL
      UNION
      SELECT from_hash FROM grouping_change_pairs pair
      WHERE change_id = ${change.id} AND phase = 'undo' AND from_hash <> to_hash AND NOT EXISTS (
        SELECT FROM grouping_change_hashes noted
        WHERE noted.change_id = pair.change_id AND noted.hash = pair.from_hash AND noted.before_issue_id IS NOT NULL
      )
    )
    DELETE FROM grouping_hashes USING emptied
    WHERE grouping_hashes.project_id = ${change.projectId} AND grouping_hashes.hash = emptied.hash
      AND grouping_hashes.times_seen = 0
    RETURNING grouping_hashes.hash, grouping_hashes.issue_id, (
      SELECT target.issue_id FROM grouping_change_pairs pair
      JOIN grouping_hashes target ON target.project_id = ${change.projectId} AND target.hash = pair.to_hash
      WHERE pair.change_id = ${change.id} AND pair.phase = 'undo' AND pair.from_hash = grouping_hashes.hash
        AND target.issue_id <> grouping_hashes.issue_id
      ORDER BY pair.events DESC, pair.to_hash LIMIT 1
    ) AS into_id`.execute(transaction);
  await dropEmptyIssues(transaction, change);
  const into = new Map(rows.flatMap((row) => (row.into_id === null ? [] : [[row.issue_id, row.into_id]])));
  const { rows: empty } = await sql<{ id: number }>`
    SELECT id FROM issues WHERE id = ANY(${[...into.keys()]}::bigint[])
      AND NOT EXISTS (SELECT FROM grouping_hashes WHERE issue_id = issues.id)`.execute(transaction);
  await dissolveIssues(
    transaction,
    change.id,
    empty.map(({ id }) => ({ issueId: id, into: into.get(id)! })),
  );
}
