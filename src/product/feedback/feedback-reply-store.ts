import { type Kysely, sql } from 'kysely';
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
  data: { text: string; to: string };
  /** What is sent. */
  content: MessageContent & { kind: 'mail' };
};

/**
 * Replies are activities of the type `reply` with `data: { text, to }`, each with the message that carries it. Source:
 * PostgreSQL. Every call is scoped by organization.
 */
export function createFeedbackReplyStore(db: Kysely<Database>) {
  return {
    /**
     * Puts it into the line of messages, where it is due at once. `full`: the organization has sent `max` since `sinceMs`;
     * null when it has no such issue.
     */
    add: (
      organizationId: number,
      { issueId, userId, data, content }: FeedbackReply,
      { sinceMs, max }: { sinceMs: number; max: number },
      atMs: number,
    ): Promise<Activity | 'full' | null> =>
      db.transaction().execute(async (transaction) => {
        // One at a time, so that the count is exact.
        await sql`SELECT FROM organizations WHERE id = ${organizationId} FOR NO KEY UPDATE`.execute(
          transaction,
        );
        const recent = await query<{ count: number }>`
          SELECT count(*)::int AS count FROM deliveries
          WHERE organization_id = ${organizationId} AND kind = 'reply' AND created_at > ${new Date(sinceMs)}`.first(
          transaction,
        );
        if (recent && recent.count >= max) return 'full';
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
  };
}

export type FeedbackReplyStore = ReturnType<typeof createFeedbackReplyStore>;
