import { type Kysely, sql, type Transaction } from 'kysely';
import { refuseWhileRunning } from '#product/grouping/store/change-rows.ts';
import { closeIncidentsOf } from '#product/incidents/store/incidents.ts';
import type { Level } from '#protocol/event.ts';
import type { EventDeletion } from '#storage/ports/deleted-data.ts';
import { lockHashIndex } from '#storage/sql/hash-index-lock.ts';
import { notifyChanges } from '#storage/sql/notices.ts';
import { affectedRows, query, userNamed } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';

export type DiscardedIssue = {
  id: number;
  projectId: number;
  shortId: string;
  title: string;
  culprit: string;
  level: Level;
  /** null when the user is gone. */
  discardedBy: { id: string; name: string } | null;
  /** Milliseconds since the epoch. */
  discardedAt: number;
};

/** Issues that are deleted, and hashes whose events are dropped. Source: PostgreSQL. */
export function createIssueDeletionStore(db: Kysely<Database>) {
  return {
    /**
     * In one transaction: the issues with all that hangs on them are gone, their events are noted for deletion, and, when
     * discarding, their hashes are too. Answers the ids of those that were there.
     */
    async deleteIssues(
      organizationId: number,
      issueIds: readonly number[],
      { discard }: { discard: boolean },
      userId: string | null,
      atMs: number,
    ): Promise<readonly number[]> {
      return await db.transaction().execute(async (transaction) => {
        await ownMaps(transaction, organizationId, issueIds);
        const issues = await lockIssues(transaction, organizationId, issueIds);
        const ids = issues.map((issue) => issue.id);
        if (ids.length === 0) return [];
        const at = new Date(atMs);
        await sql`
          INSERT INTO issue_deletions (organization_id, project_id, hashes, requested_by, requested_at)
          SELECT ${organizationId}, project_id, array_agg(hash ORDER BY hash), ${userId}, ${at}
          FROM grouping_hashes WHERE issue_id = ANY(${ids}::bigint[]) GROUP BY project_id`.execute(
          transaction,
        );
        if (discard) await discardIssues(transaction, ids, userId, at);
        await closeIncidentsOf(transaction, ids, atMs);
        await sql`DELETE FROM issues WHERE id = ANY(${ids}::bigint[])`.execute(transaction);
        await notifyChanges(
          transaction,
          issues.map(({ projectId }) => ({ organizationId, projectId })),
        );
        return ids;
      });
    },

    /** Whose turn it is comes first: the oldest of those that were not postponed. */
    listWaiting: (limit: number): Promise<readonly EventDeletion[]> =>
      query<EventDeletion>`
        SELECT id, organization_id, project_id, hashes, requested_at FROM issue_deletions
        WHERE done_at IS NULL ORDER BY id LIMIT ${limit}`.execute(db),

    /** It goes on after all others that wait, with an id of then. */
    async postpone(deletionId: number): Promise<void> {
      // The order is that of the ids, and the identity gives the next one.
      await sql`UPDATE issue_deletions SET id = DEFAULT WHERE id = ${deletionId}`.execute(db);
    },

    async finish(deletionId: number, atMs: number): Promise<void> {
      await sql`UPDATE issue_deletions SET done_at = ${new Date(atMs)} WHERE id = ${deletionId}`.execute(db);
    },

    /** Issues that hashes map to, with all their hashes; for what arrived before a deletion and was digested after it. */
    listIssuesOf: (
      projectId: number,
      hashes: readonly string[],
    ): Promise<readonly { issueId: number; hashes: readonly string[]; timesSeen: number }[]> =>
      query<{ issueId: number; hashes: string[]; timesSeen: number }>`
        SELECT issues.id AS issue_id, issues.times_seen, array_agg(g.hash) AS hashes
        FROM issues JOIN grouping_hashes g ON g.issue_id = issues.id
        WHERE issues.id IN (SELECT issue_id FROM grouping_hashes
          WHERE project_id = ${projectId} AND hash = ANY(${hashes}::text[]))
        GROUP BY issues.id`.execute(db),

    /** Only while it was seen as often as given. */
    async deleteEmpty(issueId: number, timesSeen: number): Promise<boolean> {
      const deleted = await affectedRows`
        DELETE FROM issues WHERE id = ${issueId} AND times_seen = ${timesSeen}`.execute(db);
      return deleted === 1;
    },

    /** Newest first, at most `limit`. */
    listDiscarded: (
      organizationId: number,
      projectId: number,
      limit: number,
    ): Promise<readonly DiscardedIssue[]> =>
      query<DiscardedIssue>`
        SELECT d.id, d.project_id, d.short_id, d.title, d.culprit, d.level, ${userNamed('users')} AS discarded_by,
          d.discarded_at
        FROM discarded_issues d JOIN projects ON projects.id = d.project_id
        LEFT JOIN users ON users.id = d.discarded_by
        WHERE projects.organization_id = ${organizationId} AND d.project_id = ${projectId}
        ORDER BY d.id DESC LIMIT ${limit}`.execute(db),

    /** Its events are taken again. False when the project has no such one. */
    async restore(organizationId: number, projectId: number, discardedId: number): Promise<boolean> {
      const restored = await affectedRows`
        DELETE FROM discarded_issues USING projects
        WHERE projects.id = project_id AND projects.organization_id = ${organizationId}
          AND project_id = ${projectId} AND discarded_issues.id = ${discardedId}`.execute(db);
      return restored === 1;
    },

    /** Changes whenever a hash is discarded or restored; for caches. */
    async stampDiscarded(): Promise<string> {
      const row = await query<{ stamp: string }>`
        SELECT concat(count(*), ':', max(discarded_issue_id)) AS stamp FROM discarded_hashes`.first(db);
      return row?.stamp ?? '';
    },

    /** Every discarded hash of the instance, newest first, at most `limit`. */
    listDiscardedHashes: (limit: number): Promise<readonly { projectId: number; hash: string }[]> =>
      query<{ projectId: number; hash: string }>`
        SELECT project_id, hash FROM discarded_hashes ORDER BY discarded_issue_id DESC LIMIT ${limit}`.execute(
        db,
      ),
  };
}

export type IssueDeletionStore = ReturnType<typeof createIssueDeletionStore>;

/** A regroup moves rows from hash to hash: what would be deleted by hash meanwhile may belong to another issue. */
async function ownMaps(
  transaction: Transaction<Database>,
  organizationId: number,
  issueIds: readonly number[],
): Promise<void> {
  const projects = await query<{ projectId: number }>`
    SELECT DISTINCT project_id FROM issues
    WHERE organization_id = ${organizationId} AND id = ANY(${issueIds}::bigint[]) ORDER BY project_id`.execute(
    transaction,
  );
  for (const { projectId } of projects) {
    await lockHashIndex(transaction, projectId);
    await refuseWhileRunning(transaction, projectId);
  }
}

/** Locked by id, as everybody does it. */
const lockIssues = (
  transaction: Transaction<Database>,
  organizationId: number,
  issueIds: readonly number[],
): Promise<readonly { id: number; projectId: number }[]> =>
  query<{ id: number; projectId: number }>`
    SELECT id, project_id FROM issues WHERE organization_id = ${organizationId} AND id = ANY(${issueIds}::bigint[])
    ORDER BY id FOR UPDATE`.execute(transaction);

async function discardIssues(
  transaction: Transaction<Database>,
  issueIds: readonly number[],
  userId: string | null,
  at: Date,
): Promise<void> {
  await sql`
    WITH discarded AS (
      INSERT INTO discarded_issues (project_id, short_id, title, culprit, level, discarded_by, discarded_at)
      SELECT project_id, short_id, title, culprit, level, ${userId}, ${at} FROM issues
      WHERE id = ANY(${issueIds}::bigint[]) ORDER BY id
      RETURNING id, project_id, short_id
    )
    INSERT INTO discarded_hashes (project_id, hash, discarded_issue_id)
    SELECT g.project_id, g.hash, discarded.id FROM discarded
    JOIN issues ON issues.project_id = discarded.project_id AND issues.short_id = discarded.short_id
    JOIN grouping_hashes g ON g.issue_id = issues.id
    WHERE issues.id = ANY(${issueIds}::bigint[])
    ON CONFLICT (project_id, hash) DO UPDATE SET discarded_issue_id = excluded.discarded_issue_id`.execute(
    transaction,
  );
}
