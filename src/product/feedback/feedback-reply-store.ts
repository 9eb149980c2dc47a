import { type Kysely, sql, type Transaction } from 'kysely';
import type { Activity } from '#domain/issues/issue.ts';
import { selectActivities } from '#product/issues/store/issue-row.ts';
import type { MessageContent } from '#product/messages/message-content.ts';
import { notifyChanges, notifySender } from '#storage/sql/notices.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';

/** An answer to a feedback. */
export type FeedbackReply = {
  issueId: number;
  /** Who writes it. */
  userId: string;
  /** What the activity shows. */
  data: { text: string; to: string; eventId?: string };
  /** What is sent. */
  content: MessageContent & { kind: 'mail' };
};

/**
 * Replies are activities of the type `reply` with `data: { text, to, eventId }`, each with the message that carries it. Source:
 * PostgreSQL. Every call is scoped by organization.
 */
export function createFeedbackReplyStore(db: Kysely<Database>) {
  return {
    /** A reply of the issue, with what became of it. */
    find: (organizationId: number, issueId: number, replyId: number): Promise<Activity | null> =>
      selectActivities(sql`
        WHERE issues.organization_id = ${organizationId} AND a.issue_id = ${issueId} AND a.id = ${replyId}
          AND a.type = 'reply'`).first(db),

    /**
     * Puts it into the line of messages, where it is due at once. `full`: the organization has sent `max` since `sinceMs`;
     * null when it has no such issue.
     */
    add: (
      organizationId: number,
      { issueId, userId, data, content }: FeedbackReply,
      room: Room,
      atMs: number,
    ): Promise<Activity | 'full' | null> =>
      db.transaction().execute(async (transaction) => {
        if (await isFull(transaction, organizationId, room)) return 'full';
        const at = new Date(atMs);
        const added = await query<{ id: number; projectId: number }>`
          WITH place AS (
            SELECT id, project_id FROM issues WHERE organization_id = ${organizationId} AND id = ${issueId}
          ), written AS (
            INSERT INTO activities (issue_id, type, user_id, data, at)
            SELECT id, 'reply', ${userId}, ${toStorableJson(data)}::jsonb, ${at} FROM place RETURNING id
          ), queued AS (
            INSERT INTO deliveries (id, organization_id, kind, user_id, reply_id, state, content, due_at, created_at)
            SELECT gen_random_uuid(), ${organizationId}::bigint, 'reply', ${userId}, id, 'sealed',
              ${toStorableJson(content)}::jsonb, ${at}::timestamptz, ${at}::timestamptz FROM written
          )
          SELECT written.id, place.project_id FROM written, place`.first(transaction);
        if (!added) return null;
        await notifyChanges(transaction, [{ organizationId, projectId: added.projectId }]);
        await notifySender(transaction);
        return await selectActivities(sql`WHERE a.id = ${added.id}`).first(transaction);
      }),

    /**
     * Puts one that failed into the line again, as if it were new. `full` as of `add`; null for one that is not there or has
     * not failed.
     */
    resend: (
      organizationId: number,
      { issueId, replyId, content }: Pick<FeedbackReply, 'issueId' | 'content'> & { replyId: number },
      room: Room,
      atMs: number,
    ): Promise<Activity | 'full' | null> =>
      db.transaction().execute(async (transaction) => {
        if (await isFull(transaction, organizationId, room)) return 'full';
        const at = new Date(atMs);
        const queued = await query<{ projectId: number }>`
          UPDATE deliveries SET state = 'sealed', content = ${toStorableJson(content)}::jsonb, due_at = ${at}, created_at = ${at},
            done_at = NULL, attempts = 0, last_error = NULL, last_status = NULL, lease_until = NULL
          FROM activities a JOIN issues ON issues.id = a.issue_id
          WHERE deliveries.organization_id = ${organizationId} AND issues.organization_id = ${organizationId}
            AND a.issue_id = ${issueId} AND a.id = ${replyId} AND deliveries.reply_id = a.id
            AND deliveries.kind = 'reply' AND deliveries.state = 'failed'
          RETURNING issues.project_id`.first(transaction);
        if (!queued) return null;
        await notifyChanges(transaction, [{ organizationId, projectId: queued.projectId }]);
        await notifySender(transaction);
        return await selectActivities(sql`WHERE a.id = ${replyId}`).first(transaction);
      }),
  };
}

/** How many may be sent since a moment, in milliseconds. */
type Room = { sinceMs: number; max: number };

async function isFull(
  transaction: Transaction<Database>,
  organizationId: number,
  { sinceMs, max }: Room,
): Promise<boolean> {
  // One at a time, so that the count is exact.
  await sql`SELECT FROM organizations WHERE id = ${organizationId} FOR NO KEY UPDATE`.execute(transaction);
  const recent = await query<{ count: number }>`
    SELECT count(*)::int AS count FROM deliveries
    WHERE organization_id = ${organizationId} AND kind = 'reply' AND created_at > ${new Date(sinceMs)}`.first(
    transaction,
  );
  return recent !== null && recent.count >= max;
}

export type FeedbackReplyStore = ReturnType<typeof createFeedbackReplyStore>;
