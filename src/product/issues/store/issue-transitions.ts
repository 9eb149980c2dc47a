import { type Kysely, sql, type Transaction } from 'kysely';
import type { Issue, UnarchiveReason } from '#domain/issues/issue.ts';
import { automaticPriority } from '#domain/issues/priority.ts';
import { notifyChanges, notifyOutbox } from '#storage/sql/notices.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';
import type { WatchedIssue } from '../issue-page.ts';

/** What time and counts do to issues. Rows that somebody else holds are left for the next run. */
export function createIssueTransitions(db: Kysely<Database>) {
  return {
    /** New issues older than `beforeMs` become ongoing; answers how many. At most `limit` per call. */
    async ageNewIssues(beforeMs: number, limit: number): Promise<number> {
      const { rows } = await sql`
        WITH aged AS (
          SELECT id FROM issues
          WHERE status = 'unresolved' AND substatus = 'new' AND first_seen < ${new Date(beforeMs)}
          ORDER BY id LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
        ), noted AS (
          INSERT INTO activities (issue_id, type, at) SELECT id, 'auto_set_ongoing', now() FROM aged
        )
        UPDATE issues SET substatus = 'ongoing', substatus_at = now() FROM aged WHERE issues.id = aged.id RETURNING issues.id`.execute(
        db,
      );
      return rows.length;
    },

    /** Regressed and escalating issues that are so since before `beforeMs` become ongoing, as above. */
    async settleIssues(beforeMs: number, nowMs: number, limit: number): Promise<number> {
      return await db.transaction().execute(async (transaction) => {
        const issues = await query<ArchivedIssue>`
          SELECT ${TRANSITION_COLUMNS} FROM issues
          WHERE status = 'unresolved' AND substatus IN ('regressed', 'escalating')
            AND substatus_at < ${new Date(beforeMs)}
          ORDER BY id LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED`.execute(transaction);
        await reopen(
          transaction,
          issues.map((issue) => ({ issue, substatus: 'ongoing', data: { after: issue.substatus } })),
          nowMs,
        );
        return issues.length;
      });
    },

    /** Issues archived until a date that has come are ongoing again, as above. */
    async unarchiveDueIssues(nowMs: number, limit: number): Promise<number> {
      return await db.transaction().execute(async (transaction) => {
        const issues = await query<ArchivedIssue>`
          SELECT ${TRANSITION_COLUMNS} FROM issues
          WHERE status = 'archived' AND archived_until <= ${new Date(nowMs)}
          ORDER BY id LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED`.execute(transaction);
        const reason: UnarchiveReason = { kind: 'date' };
        await reopen(
          transaction,
          issues.map((issue) => ({ issue, substatus: 'ongoing', data: { reason } })),
          nowMs,
        );
        return issues.length;
      });
    },

    /**
     * Archived issues that happened since `seenSinceMs` and whose condition is looked up in their events, by id after
     * `afterId`: with windows and users always, until escalating only while they have no forecast for `hourEndMs`.
     */
    listWatched: (
      seenSinceMs: number,
      hourEndMs: number,
      afterId: number,
      limit: number,
    ): Promise<readonly WatchedIssue[]> =>
      query<WatchedIssue>`
        SELECT id AS issue_id, organization_id, project_id, archive, first_seen, times_seen,
          (SELECT coalesce(array_agg(hash), '{}') FROM grouping_hashes WHERE issue_id = issues.id) AS hashes
        FROM issues
        WHERE status = 'archived' AND substatus IN ('archived_until_escalating', 'archived_until_condition_met')
          AND last_seen >= ${new Date(seenSinceMs)} AND id > ${afterId}
          AND CASE archive -> 'condition' ->> 'kind'
            WHEN 'escalating' THEN escalates_before IS DISTINCT FROM ${new Date(hourEndMs)}
            WHEN 'events' THEN escalates_at_times_seen IS NULL
            ELSE archived_until IS NULL END
        ORDER BY id LIMIT ${limit}`.execute(db),

    /** Until `beforeMs`, the issue escalates with the event that makes `remaining` more than it has now. */
    async setForecasts(
      entries: readonly { issueId: number; remaining: number; forecast: number; beforeMs: number }[],
    ): Promise<void> {
      const rows = entries.map(({ issueId, remaining, forecast, beforeMs }) => ({
        id: issueId,
        remaining,
        forecast,
        before: new Date(beforeMs),
      }));
      await sql`
        WITH held AS (
          SELECT issues.id FROM issues
          JOIN json_to_recordset(${toStorableJson(rows)}::json) AS entry (id bigint) ON entry.id = issues.id
          WHERE status = 'archived' AND substatus = 'archived_until_escalating'
          ORDER BY issues.id FOR NO KEY UPDATE OF issues
        )
        UPDATE issues SET escalates_at_times_seen = issues.times_seen + entry.remaining, escalates_before = entry.before,
          archive = archive || jsonb_build_object('forecast', entry.forecast)
        FROM held, json_to_recordset(${toStorableJson(rows)}::json)
          AS entry (id bigint, remaining bigint, forecast bigint, before timestamptz)
        WHERE issues.id = held.id AND entry.id = held.id`.execute(db);
    },

    /** Brings issues back as escalating, unless somebody changed them since they were archived at `archivedAt`. */
    async escalateIssues(
      entries: readonly { issueId: number; archivedAt: number; reason: UnarchiveReason }[],
      nowMs: number,
    ): Promise<number> {
      const byId = new Map(entries.map((entry) => [entry.issueId, entry]));
      return await db.transaction().execute(async (transaction) => {
        const issues = await query<ArchivedIssue>`
          SELECT ${TRANSITION_COLUMNS} FROM issues WHERE id = ANY(${[...byId.keys()]}::bigint[]) AND status = 'archived'
          ORDER BY id FOR NO KEY UPDATE`.execute(transaction);
        const same = issues.filter(({ id, archive }) => archive?.archivedAt === byId.get(id)!.archivedAt);
        await reopen(
          transaction,
          same.map((issue) => ({
            issue,
            substatus: 'escalating',
            data: { reason: byId.get(issue.id)!.reason },
          })),
          nowMs,
        );
        return same.length;
      });
    },
  };
}

const TRANSITION_COLUMNS = sql.raw(
  'id, organization_id, project_id, level, substatus, archive, priority, priority_locked_at',
);

type ArchivedIssue = Pick<
  Issue,
  'id' | 'organizationId' | 'projectId' | 'level' | 'substatus' | 'archive' | 'priority' | 'priorityLockedAt'
>;

type Reopening = { issue: ArchivedIssue; substatus: 'ongoing' | 'escalating'; data: object };

/** Locked issues become unresolved: an activity for people, and for what escalates the outbox. */
async function reopen(
  transaction: Transaction<Database>,
  reopened: readonly Reopening[],
  nowMs: number,
): Promise<void> {
  if (reopened.length === 0) return;
  const rows = reopened.map(({ issue, substatus, data }) => ({
    id: issue.id,
    organization_id: issue.organizationId,
    project_id: issue.projectId,
    substatus,
    priority: issue.priorityLockedAt === null ? automaticPriority(issue.level, substatus) : issue.priority,
    activity: substatus === 'escalating' ? 'set_escalating' : 'auto_set_ongoing',
    data,
  }));
  const at = new Date(nowMs);
  await sql`
    WITH back AS (
      SELECT * FROM json_to_recordset(${toStorableJson(rows)}::json) AS row_of (id bigint, organization_id bigint,
        project_id bigint, substatus text, priority text, activity text, data jsonb)
    ), noted AS (
      INSERT INTO activities (issue_id, type, data, at) SELECT id, activity, data, ${at} FROM back
    ), queued AS (
      INSERT INTO outbox (organization_id, project_id, issue_id, kind, data, created_at)
      SELECT organization_id, project_id, id, 'escalation', data, ${at} FROM back WHERE substatus = 'escalating'
    )
    UPDATE issues SET status = 'unresolved', substatus = back.substatus, substatus_at = ${at},
      priority = back.priority, archive = NULL, archived_until = NULL, escalates_at_times_seen = NULL,
      escalates_before = NULL
    FROM back WHERE issues.id = back.id`.execute(transaction);
  if (reopened.some(({ substatus }) => substatus === 'escalating')) await notifyOutbox(transaction);
  await notifyChanges(
    transaction,
    reopened.map(({ issue }) => issue),
  );
}
