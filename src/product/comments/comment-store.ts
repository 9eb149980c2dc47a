import { type Kysely, sql } from 'kysely';
import type { Activity } from '#domain/issues/issue.ts';
import { selectActivities } from '#product/issues/store/issue-row.ts';
import { notifyChanges } from '#storage/sql/notices.ts';
import { affectedRows, query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';

/** Part of a comment's text that names somebody; offsets in UTF-16 units, half-open. */
export type Mention = { start: number; end: number } & ({ userId: string } | { teamId: number });

export type CommentText = { text: string; mentions: readonly Mention[] };

/** Where a page of activities ended. */
export type ActivityCursor = { at: number; id: number };

/**
 * Comments are activities of the type `note` with `data: { text, mentions, editedAt? }`: they move with the issue's
 * other activities. Source: PostgreSQL. Every call is scoped by organization.
 */
export function createCommentStore(db: Kysely<Database>) {
  const find = (organizationId: number, issueId: number, commentId: number): Promise<Activity | null> =>
    selectActivities(sql`
      WHERE issues.organization_id = ${organizationId} AND a.issue_id = ${issueId} AND a.id = ${commentId}
        AND a.type = 'note'`).first(db);

  return {
    /** null when the issue has no such comment. */
    find,

    /** What happened to an issue, newest first; `type` leaves only these. */
    listActivities: (
      organizationId: number,
      issueId: number,
      { limit, before, type }: { limit: number; before: ActivityCursor | null; type: 'note' | null },
    ): Promise<readonly Activity[]> =>
      selectActivities(sql`
        WHERE issues.organization_id = ${organizationId} AND a.issue_id = ${issueId}
          ${type ? sql`AND a.type = ${type}` : sql``}
          ${before ? sql`AND (${AT}, a.id) < (${new Date(before.at)}, ${before.id})` : sql``}
        ORDER BY ${AT} DESC, a.id DESC LIMIT ${limit}`).execute(db),

    /** null when the organization has no such issue. */
    async add(
      organizationId: number,
      issueId: number,
      userId: string,
      comment: CommentText,
      atMs: number,
    ): Promise<Activity | null> {
      const id = await db.transaction().execute(async (transaction) => {
        const row = await query<{ id: number; projectId: number }>`
          INSERT INTO activities (issue_id, type, user_id, data, at)
          SELECT id, 'note', ${userId}, ${toStorableJson(comment)}::jsonb, ${new Date(atMs)} FROM issues
          WHERE organization_id = ${organizationId} AND id = ${issueId}
          RETURNING id, (SELECT project_id FROM issues WHERE issues.id = issue_id) AS project_id`.first(
          transaction,
        );
        if (!row) return null;
        await notifyChanges(transaction, [{ organizationId, projectId: row.projectId }]);
        return row.id;
      });
      return id === null ? null : await find(organizationId, issueId, id);
    },

    /** Only the author's own; null when there is none. Notes when it was edited. */
    async edit(
      organizationId: number,
      issueId: number,
      commentId: number,
      userId: string,
      comment: CommentText,
      atMs: number,
    ): Promise<Activity | null> {
      const edited = await affectedRows`
        UPDATE activities SET data = ${toStorableJson({ ...comment, editedAt: atMs })}::jsonb
        FROM issues WHERE issues.id = issue_id AND issues.organization_id = ${organizationId}
          AND issue_id = ${issueId} AND activities.id = ${commentId} AND activities.type = 'note'
          AND user_id = ${userId}`.execute(db);
      return edited === 1 ? await find(organizationId, issueId, commentId) : null;
    },

    /** Only the author's own. False when there is none. */
    async delete(
      organizationId: number,
      issueId: number,
      commentId: number,
      userId: string,
    ): Promise<boolean> {
      const deleted = await affectedRows`
        DELETE FROM activities USING issues
        WHERE issues.id = issue_id AND issues.organization_id = ${organizationId} AND issue_id = ${issueId}
          AND activities.id = ${commentId} AND activities.type = 'note' AND user_id = ${userId}`.execute(db);
      return deleted === 1;
    },

    /** Comments of each issue; issues without any are missing. */
    async count(organizationId: number, issueIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
      const found = await query<{ issueId: number; count: number }>`
        SELECT issue_id, count(*)::int AS count FROM activities JOIN issues ON issues.id = issue_id
        WHERE issues.organization_id = ${organizationId} AND issue_id = ANY(${issueIds}::bigint[])
          AND activities.type = 'note'
        GROUP BY issue_id`.execute(db);
      return new Map(found.map(({ issueId, count }) => [issueId, count]));
    },
  };
}

export type CommentStore = ReturnType<typeof createCommentStore>;

/** As pages name it: what is finer would be lost on the way. */
const AT = sql`date_trunc('milliseconds', a.at)`;
