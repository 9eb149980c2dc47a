import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Activity, ActivityType } from '#domain/issues/issue.ts';
import { notifyChanges } from '#storage/sql/notices.ts';
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
  const read = async (condition: RawBuilder<unknown>, limit: number): Promise<Activity[]> => {
    const { rows } = await sql<ActivityRow>`
      SELECT a.id, a.issue_id, a.type, a.user_id, users.name AS user_name, a.data, a.at
      FROM activities a JOIN issues ON issues.id = a.issue_id LEFT JOIN users ON users.id = a.user_id
      WHERE ${condition} ORDER BY ${AT} DESC, a.id DESC LIMIT ${limit}`.execute(db);
    return rows.map(toActivity);
  };
  const find = async (organizationId: number, issueId: number, commentId: number) => {
    const [comment] = await read(
      sql`issues.organization_id = ${organizationId} AND a.issue_id = ${issueId} AND a.id = ${commentId}
        AND a.type = 'note'`,
      1,
    );
    return comment ?? null;
  };

  return {
    /** null when the issue has no such comment. */
    find,

    /** What happened to an issue, newest first; `type` leaves only these. */
    async listActivities(
      organizationId: number,
      issueId: number,
      { limit, before, type }: { limit: number; before: ActivityCursor | null; type: 'note' | null },
    ): Promise<readonly Activity[]> {
      return await read(
        sql`issues.organization_id = ${organizationId} AND a.issue_id = ${issueId}
          ${type ? sql`AND a.type = ${type}` : sql``}
          ${before ? sql`AND (${AT}, a.id) < (${new Date(before.at)}, ${before.id})` : sql``}`,
        limit,
      );
    },

    /** null when the organization has no such issue. */
    async add(
      organizationId: number,
      issueId: number,
      userId: string,
      comment: CommentText,
      atMs: number,
    ): Promise<Activity | null> {
      const id = await db.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ id: number; project_id: number }>`
          INSERT INTO activities (issue_id, type, user_id, data, at)
          SELECT id, 'note', ${userId}, ${toStorableJson(comment)}::jsonb, ${new Date(atMs)} FROM issues
          WHERE organization_id = ${organizationId} AND id = ${issueId}
          RETURNING id, (SELECT project_id FROM issues WHERE issues.id = issue_id) AS project_id`.execute(
          transaction,
        );
        const [row] = rows;
        if (!row) return null;
        await notifyChanges(transaction, [{ organizationId, projectId: row.project_id }]);
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
      const { numAffectedRows } = await sql`
        UPDATE activities SET data = ${toStorableJson({ ...comment, editedAt: atMs })}::jsonb
        FROM issues WHERE issues.id = issue_id AND issues.organization_id = ${organizationId}
          AND issue_id = ${issueId} AND activities.id = ${commentId} AND activities.type = 'note'
          AND user_id = ${userId}`.execute(db);
      return numAffectedRows === 1n ? await find(organizationId, issueId, commentId) : null;
    },

    /** Only the author's own. False when there is none. */
    async delete(
      organizationId: number,
      issueId: number,
      commentId: number,
      userId: string,
    ): Promise<boolean> {
      const { numAffectedRows } = await sql`
        DELETE FROM activities USING issues
        WHERE issues.id = issue_id AND issues.organization_id = ${organizationId} AND issue_id = ${issueId}
          AND activities.id = ${commentId} AND activities.type = 'note' AND user_id = ${userId}`.execute(db);
      return numAffectedRows === 1n;
    },

    /** Comments of each issue; issues without any are missing. */
    async count(organizationId: number, issueIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
      const { rows } = await sql<{ issue_id: number; count: number }>`
        SELECT issue_id, count(*)::int AS count FROM activities JOIN issues ON issues.id = issue_id
        WHERE issues.organization_id = ${organizationId} AND issue_id = ANY(${issueIds}::bigint[])
          AND activities.type = 'note'
        GROUP BY issue_id`.execute(db);
      return new Map(rows.map((row) => [row.issue_id, row.count]));
    },
  };
}

export type CommentStore = ReturnType<typeof createCommentStore>;

/** As pages name it: what is finer would be lost on the way. */
const AT = sql`date_trunc('milliseconds', a.at)`;

type ActivityRow = {
  id: number;
  issue_id: number;
  type: ActivityType;
  user_id: string | null;
  user_name: string | null;
  data: Record<string, unknown>;
  at: Date;
};

const toActivity = (row: ActivityRow): Activity => ({
  id: row.id,
  issueId: row.issue_id,
  type: row.type,
  user: row.user_id !== null && row.user_name !== null ? { id: row.user_id, name: row.user_name } : null,
  data: row.data,
  at: row.at.getTime(),
});
