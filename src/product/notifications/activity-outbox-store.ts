import { type Kysely, sql, type Transaction } from 'kysely';
import type { Activity, ActivityType } from '#domain/issues/issue.ts';
import { closeEndedIncidents, ENDING_TYPES } from '#product/incidents/store/incidents.ts';
import { ACTIVITY } from '#product/issues/store/issue-row.ts';
import type { EventType } from '#protocol/event.ts';
import { notifySender } from '#storage/sql/notices.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';

/** Why an activity concerns somebody. */
export type ActivityReason = 'assigned' | 'mentioned' | 'subscribed';

/** A member who sees the project of the issue, and did not do it themselves. */
export type ConcernedUser = { userId: string; reason: ActivityReason };

export type ActivityEntry = {
  activityId: number;
  organizationId: number;
  projectId: number;
  type: ActivityType;
  /** Each reason of each user. */
  concerned: readonly ConcernedUser[];
};

/** One person who gets mail about one activity. */
export type ActivityNotification = {
  activityId: number;
  organizationId: number;
  userId: string;
  reason: ActivityReason;
};

/** When a mail about activities goes: what happens until then joins it. Milliseconds. */
export type ActivityPace = { settleMs: number; gapMs: number };

export type NotifiedActivity = Activity & {
  reason: ActivityReason;
  issue: {
    id: number;
    shortId: string;
    type: EventType;
    title: string;
    culprit: string;
    projectId: number;
    projectSlug: string;
  };
};

/** Where the teller hears that something happened; the trigger of the migration says it. */
export const ACTIVITIES_CHANNEL = 'errata_activities';

/** People of one activity that are notified of it. */
const CONCERNED_MAX = 1_000;

/** Activities that wait to be mailed to the people they concern. Source: PostgreSQL. */
export function createActivityOutboxStore(db: Kysely<Database>) {
  return {
    /**
     * Takes the oldest entries, at most `limit`, and adds those that `choose` picks to mails, in one transaction: when it
     * throws, or the process dies, they wait as before. A mail is due `settleMs` after its first activity, and `gapMs` after
     * the mail before it to the same person of the organization. Pagers that know of an issue that ended are notified as
     * well. Answers how many there were.
     */
    notify: (
      limit: number,
      pace: ActivityPace,
      nowMs: number,
      choose: (entries: readonly ActivityEntry[]) => Promise<readonly ActivityNotification[]>,
    ): Promise<number> =>
      db.transaction().execute(async (transaction) => {
        const entries = await takeEntries(transaction, limit);
        if (entries.length === 0) return 0;
        const endings = entries.filter(({ type }) => ENDING_TYPES.has(type));
        await closeEndedIncidents(
          transaction,
          endings.map(({ activityId }) => activityId),
          nowMs,
        );
        const notifications = await choose(entries);
        if (notifications.length > 0) await joinMails(transaction, notifications, pace, nowMs);
        return entries.length;
      }),

    /** The activities of a mail, oldest first, of issues that still exist. */
    async listNotified(
      deliveryId: string,
      limit: number,
    ): Promise<{ activities: readonly NotifiedActivity[]; total: number }> {
      const rows = await query<NotifiedActivity & { total: number }>`
        SELECT ${ACTIVITY}, notified.reason, json_build_object('id', issues.id, 'shortId', issues.short_id,
          'type', issues.type, 'title', issues.title, 'culprit', issues.culprit, 'projectId', issues.project_id,
          'projectSlug', projects.slug) AS issue, count(*) OVER () AS total
        FROM delivery_activities notified
        JOIN activities a ON a.id = notified.activity_id
        JOIN issues ON issues.id = a.issue_id
        JOIN projects ON projects.id = issues.project_id
        LEFT JOIN users ON users.id = a.user_id
        WHERE notified.delivery_id = ${deliveryId} ORDER BY a.at, a.id LIMIT ${limit}`.execute(db);
      return {
        total: rows[0]?.total ?? 0,
        activities: rows.map(({ total: _total, ...activity }) => activity),
      };
    },
  };
}

export type ActivityOutboxStore = ReturnType<typeof createActivityOutboxStore>;

/** Deletes them within the transaction: whoever else looks takes others. */
const takeEntries = (transaction: Transaction<Database>, limit: number): Promise<readonly ActivityEntry[]> =>
  query<ActivityEntry>`
    WITH taken AS (
      DELETE FROM activity_news WHERE activity_id IN (
        SELECT activity_id FROM activity_news ORDER BY activity_id LIMIT ${limit} FOR UPDATE SKIP LOCKED
      ) RETURNING activity_id
    ), entries AS (
      SELECT a.id, a.type, a.user_id, a.data, issues.id AS issue_id, issues.organization_id, issues.project_id
      FROM taken JOIN activities a ON a.id = taken.activity_id JOIN issues ON issues.id = a.issue_id
    ), named AS (
      SELECT entries.id, mention ->> 'userId' AS user_id, (mention ->> 'teamId')::bigint AS team_id, 'mentioned' AS reason
      FROM entries, jsonb_array_elements(CASE jsonb_typeof(data -> 'mentions') WHEN 'array' THEN data -> 'mentions'
        ELSE '[]' END) AS mention
      WHERE entries.type = 'note'
      UNION ALL
      SELECT entries.id, data ->> 'assigneeUserId', (data ->> 'assigneeTeamId')::bigint, 'assigned' FROM entries
      WHERE entries.type = 'assigned'
    ), concerned AS (
      SELECT id, user_id, reason FROM named WHERE user_id IS NOT NULL
      UNION
      SELECT named.id, members.user_id, reason FROM named JOIN team_members members USING (team_id)
      UNION
      SELECT entries.id, followers.user_id, 'subscribed' FROM entries
      JOIN issue_subscriptions followers ON followers.issue_id = entries.issue_id AND followers.is_subscribed
    ), visible AS (
      SELECT entries.id, concerned.user_id, concerned.reason,
        row_number() OVER (PARTITION BY entries.id ORDER BY concerned.user_id) AS place
      FROM entries JOIN concerned USING (id)
      JOIN memberships m ON m.user_id = concerned.user_id AND m.organization_id = entries.organization_id
      JOIN organizations ON organizations.id = entries.organization_id
      JOIN projects ON projects.id = entries.project_id
      JOIN users ON users.id = concerned.user_id
      WHERE concerned.user_id IS DISTINCT FROM entries.user_id
        AND (NOT projects.is_internal OR users.is_instance_owner)
        AND (organizations.is_open OR m.role IN ('manager', 'owner') OR EXISTS (
          SELECT FROM project_teams JOIN team_members USING (team_id)
          WHERE project_teams.project_id = entries.project_id AND team_members.user_id = concerned.user_id))
    ), notified AS (
      SELECT id, json_agg(json_build_object('userId', user_id, 'reason', reason)) AS users FROM visible
      WHERE place <= ${CONCERNED_MAX} GROUP BY id
    )
    SELECT entries.id AS activity_id, entries.type, entries.organization_id, entries.project_id,
      coalesce(notified.users, '[]') AS concerned
    FROM entries LEFT JOIN notified USING (id)`.execute(transaction);

/** Each joins the open mail of its receiver, or opens one; the lock on it keeps it from being sent without them. */
async function joinMails(
  transaction: Transaction<Database>,
  notifications: readonly ActivityNotification[],
  { settleMs, gapMs }: ActivityPace,
  nowMs: number,
): Promise<void> {
  const rows = notifications.map(({ activityId, organizationId, userId, reason }) => ({
    activity_id: activityId,
    organization_id: organizationId,
    user_id: userId,
    reason,
  }));
  const now = new Date(nowMs);
  await sql`
    WITH given AS (
      SELECT * FROM json_to_recordset(${toStorableJson(rows)}::json)
        AS given (activity_id bigint, organization_id bigint, user_id text, reason text)
    ), opened AS (
      INSERT INTO deliveries (id, organization_id, kind, user_id, due_at, created_at)
      SELECT gen_random_uuid(), receiver.organization_id, 'activity', receiver.user_id,
        greatest(${new Date(nowMs + settleMs)}::timestamptz, recent.last_at + ${gapMs}::float8 * interval '1 ms'), ${now}
      FROM memberships AS receiver, LATERAL (
        SELECT max(coalesce(done_at, least(due_at, ${now}))) AS last_at FROM deliveries
        WHERE user_id = receiver.user_id AND organization_id = receiver.organization_id AND kind = 'activity'
          AND created_at > ${new Date(nowMs - 2 * gapMs)}
      ) AS recent
      WHERE (receiver.user_id, receiver.organization_id) IN (SELECT user_id, organization_id FROM given)
      ORDER BY receiver.organization_id, receiver.user_id
      ON CONFLICT (organization_id, user_id) WHERE state = 'open' AND kind = 'activity'
        DO UPDATE SET due_at = deliveries.due_at
      RETURNING id, organization_id, user_id
    )
    INSERT INTO delivery_activities (delivery_id, activity_id, reason)
    SELECT DISTINCT ON (opened.id, given.activity_id) opened.id, given.activity_id, given.reason
    FROM given JOIN opened USING (organization_id, user_id)
    ON CONFLICT DO NOTHING`.execute(transaction);
  await notifySender(transaction);
}
