import { type Kysely, sql } from 'kysely';
import { conflict } from '#lib/errors.ts';
import { lockHashIndex } from '#storage/sql/hash-index-lock.ts';
import { affectedRows, query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import type {
  GroupingChange,
  GroupingChangeKind,
  HashIndex,
  IssueHash,
  NewGroupingRules,
} from '../grouping-change.ts';
import { applyRound } from './apply-round.ts';
import { getChange, insertChange, listSplits, refuseWhileRunning, selectChanges } from './change-rows.ts';
import { finishJob } from './finish-job.ts';
import { checkpointJob, claimJob } from './job-lease.ts';
import { mergeIssues, unmergeHashes } from './merge-issues.ts';
import { readHashIndex } from './move-hashes.ts';
import { findActiveRules, insertVersion } from './rules-store.ts';
import { undoChange } from './undo-change.ts';

const ERROR_CHARACTERS_MAX = 1_000;

/** Changes of the hash index, and the work of a regroup. Source: PostgreSQL. */
export function createRegroupStore(db: Kysely<Database>) {
  return {
    merge: mergeIssues.bind(null, db),
    unmerge: unmergeHashes.bind(null, db),
    undo: undoChange.bind(null, db),
    applyRound: applyRound.bind(null, db),
    checkpoint: checkpointJob.bind(null, db),
    claim: claimJob.bind(null, db),
    finish: finishJob.bind(null, db),
    listSplits: listSplits.bind(null, db),

    /** Of one kind, newest first. */
    listChanges: (
      organizationId: number,
      projectId: number,
      kind: GroupingChangeKind,
      limit: number,
    ): Promise<readonly GroupingChange[]> =>
      selectChanges(
        db,
        sql`change.organization_id = ${organizationId} AND change.project_id = ${projectId}
          AND change.kind = ${kind}`,
        limit,
      ),

    /** Changes that touched a hash which is the issue's now, or the issue itself; newest first. */
    listIssueChanges: (
      organizationId: number,
      issueId: number,
      limit: number,
    ): Promise<readonly GroupingChange[]> =>
      selectChanges(
        db,
        sql`change.organization_id = ${organizationId} AND EXISTS (
          SELECT FROM grouping_change_issues touched
          WHERE touched.change_id = change.id AND touched.issue_id = ${issueId}
        )`,
        limit,
      ),

    async findChange(organizationId: number, changeId: number): Promise<GroupingChange | null> {
      const [change] = await selectChanges(
        db,
        sql`change.organization_id = ${organizationId} AND change.id = ${changeId}`,
        1,
      );
      return change ?? null;
    },

    /** Counters by hash of an issue, most events first; at most `limit`. */
    listHashes: (organizationId: number, issueId: number, limit: number): Promise<readonly IssueHash[]> =>
      query<IssueHash>`
        SELECT known.hash, known.times_seen, known.first_seen, known.last_seen,
          merged.origin AS merged_from
        FROM grouping_hashes known
        JOIN issues ON issues.id = known.issue_id
        LEFT JOIN LATERAL (
          SELECT json_build_object('issueId', redirect.old_issue_id, 'shortId', redirect.short_id) AS origin
          FROM grouping_change_hashes noted
          JOIN grouping_changes change ON change.id = noted.change_id
          JOIN issue_redirects redirect ON redirect.old_issue_id = noted.before_issue_id
          WHERE noted.hash = known.hash AND noted.after_issue_id = known.issue_id AND change.state <> 'undone'
          ORDER BY noted.change_id DESC LIMIT 1
        ) AS merged ON true
        WHERE known.issue_id = ${issueId} AND issues.organization_id = ${organizationId}
        ORDER BY known.times_seen DESC, known.hash LIMIT ${limit}`.execute(db),

    /** Issues of the hashes of a project. */
    async findMap(
      organizationId: number,
      projectId: number,
      hashes: readonly string[],
    ): Promise<ReadonlyMap<string, number>> {
      const { rows } = await sql<{ hash: string; issue_id: number }>`
        SELECT known.hash, known.issue_id FROM grouping_hashes known
        JOIN projects ON projects.id = known.project_id
        WHERE known.project_id = ${projectId} AND projects.organization_id = ${organizationId}
          AND known.hash = ANY(${hashes}::text[])`.execute(db);
      return new Map(rows.map((row) => [row.hash, row.issue_id]));
    },

    /** As `findMap`, with all other hashes of those issues, and what they stand for. */
    async findHashIndex(
      organizationId: number,
      projectId: number,
      hashes: readonly string[],
    ): Promise<HashIndex> {
      const { rows } = await sql`
        SELECT FROM projects WHERE id = ${projectId} AND organization_id = ${organizationId}`.execute(db);
      return await readHashIndex(db, projectId, rows.length === 0 ? [] : hashes, null, null);
    },

    /** The issues of a project that were seen last, without one of them. */
    listRecentTexts: (
      organizationId: number,
      projectId: number,
      exceptId: number,
      limit: number,
    ): Promise<readonly { issueId: number; title: string; culprit: string; type: string }[]> =>
      query<{ issueId: number; title: string; culprit: string; type: string }>`
        SELECT id AS issue_id, title, culprit, coalesce(metadata->>'type', '') AS type FROM issues
        WHERE organization_id = ${organizationId} AND project_id = ${projectId} AND id <> ${exceptId}
        ORDER BY last_seen DESC, id DESC LIMIT ${limit}`.execute(db),

    /** A new rules version that waits for its regroup. Throws Conflict when one is running, and as `activate`. */
    async begin(
      organizationId: number,
      projectId: number,
      rules: NewGroupingRules,
      nowMs: number,
    ): Promise<GroupingChange> {
      return await db.transaction().execute(async (transaction) => {
        await lockHashIndex(transaction, projectId);
        await refuseWhileRunning(transaction, projectId);
        const { version: formerVersion } = await findActiveRules(transaction, organizationId, projectId);
        const rulesVersion = await insertVersion(transaction, organizationId, projectId, rules, nowMs, null);
        const id = await insertChange(
          transaction,
          {
            organizationId,
            projectId,
            kind: 'regroup',
            state: 'scanning',
            userId: rules.authorUserId,
            rulesVersion,
            formerVersion,
          },
          nowMs,
        );
        return await getChange(transaction, organizationId, id);
      });
    },

    /** Only while nothing has changed. Throws Conflict else. */
    async cancel(organizationId: number, changeId: number, nowMs: number): Promise<void> {
      const cancelled = await affectedRows`
        UPDATE grouping_changes SET state = 'cancelled', finished_at = ${new Date(nowMs)}, lease_owner = NULL
        WHERE id = ${changeId} AND organization_id = ${organizationId} AND state = 'scanning'`.execute(db);
      if (cancelled === 0) {
        throw conflict('Issues have already been regrouped: undo the change instead');
      }
    },

    /** For a step that takes long. False as `checkpoint`. */
    async extendLease(
      { changeId, owner }: { changeId: number; owner: string; phase: 'apply' | 'undo' },
      leaseMs: number,
      nowMs: number,
    ): Promise<boolean> {
      const changed = await affectedRows`
        UPDATE grouping_changes SET lease_until = ${new Date(nowMs + leaseMs)}
        WHERE id = ${changeId} AND lease_owner = ${owner}`.execute(db);
      return changed === 1;
    },

    /** Gives the job back, for anybody to go on with. `error` says why, null when it was stopped. */
    async release(changeId: number, owner: string, error: string | null): Promise<void> {
      await sql`
        UPDATE grouping_changes SET last_error = ${error?.slice(0, ERROR_CHARACTERS_MAX) ?? null}, lease_owner = NULL,
          lease_until = NULL
        WHERE id = ${changeId} AND lease_owner = ${owner}`.execute(db);
    },

    /** Changes that were made before the moment and are not under way. */
    async listOld(beforeMs: number, limit: number): Promise<readonly number[]> {
      const { rows } = await sql<{ id: number }>`
        SELECT id FROM grouping_changes
        WHERE created_at < ${new Date(beforeMs)} AND state IN ('done', 'undone', 'cancelled')
        ORDER BY id LIMIT ${limit}`.execute(db);
      return rows.map((row) => row.id);
    },

    /** They cannot be undone any more: what was kept for that goes. */
    async forget(changeIds: readonly number[]): Promise<void> {
      await sql`DELETE FROM grouping_changes WHERE id = ANY(${changeIds}::bigint[])`.execute(db);
    },

    /** Where an issue went that is no more; null when none of this name was there. */
    async findRedirect(
      organizationId: number,
      name: { issueId: number } | { shortId: string },
    ): Promise<number | null> {
      const row = await query<{ issueId: number }>`
        SELECT issue_id FROM issue_redirects WHERE organization_id = ${organizationId} AND ${
          'issueId' in name
            ? sql`old_issue_id = ${name.issueId}`
            : sql`short_id = ${name.shortId.toUpperCase()}`
        }`.first(db);
      return row?.issueId ?? null;
    },
  };
}

export type RegroupStore = ReturnType<typeof createRegroupStore>;
