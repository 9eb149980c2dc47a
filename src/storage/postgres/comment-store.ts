import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Activity, ActivityType } from '#domain/issues/issue.ts';
import type { CommentStore } from '#storage/ports/comments.ts';
import { notifyChanges } from './change-feed.ts';
import type { Database } from './schema.ts';
import { toStorableJson } from './storable-json.ts';

export function createCommentStore(db: Kysely<Database>): CommentStore {
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
    find,

    async listActivities(organizationId, issueId, { limit, before, type }) {
      return await read(
        sql`issues.organization_id = ${organizationId} AND a.issue_id = ${issueId}
          ${type ? sql`AND a.type = ${type}` : sql``}
          ${before ? sql`AND (${AT}, a.id) < (${new Date(before.at)}, ${before.id})` : sql``}`,
        limit,
      );
    },

    async add(organizationId, issueId, userId, comment, atMs) {
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

    async edit(organizationId, issueId, commentId, userId, comment, atMs) {
      const { numAffectedRows } = await sql`
        UPDATE activities SET data = ${toStorableJson({ ...comment, editedAt: atMs })}::jsonb
        FROM issues WHERE issues.id = issue_id AND issues.organization_id = ${organizationId}
          AND issue_id = ${issueId} AND activities.id = ${commentId} AND activities.type = 'note'
          AND user_id = ${userId}`.execute(db);
      return numAffectedRows === 1n ? await find(organizationId, issueId, commentId) : null;
    },

    async delete(organizationId, issueId, commentId, userId) {
      const { numAffectedRows } = await sql`
        DELETE FROM activities USING issues
        WHERE issues.id = issue_id AND issues.organization_id = ${organizationId} AND issue_id = ${issueId}
          AND activities.id = ${commentId} AND activities.type = 'note' AND user_id = ${userId}`.execute(db);
      return numAffectedRows === 1n;
    },

    async count(organizationId, issueIds) {
      const { rows } = await sql<{ issue_id: number; count: number }>`
        SELECT issue_id, count(*)::int AS count FROM activities JOIN issues ON issues.id = issue_id
        WHERE issues.organization_id = ${organizationId} AND issue_id = ANY(${issueIds}::bigint[])
          AND activities.type = 'note'
        GROUP BY issue_id`.execute(db);
      return new Map(rows.map((row) => [row.issue_id, row.count]));
    },
  };
}

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
