import { type Kysely, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import type { Activity, ActivityType, Issue } from '#domain/issues/issue.ts';
import { notifyChanges } from '#storage/sql/notices.ts';
import { query, userNamed } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';

export type IssueRow = Selectable<Database['issues']> & {
  project_slug: string;
  assignee_name: string | null;
  assignee_email: string | null;
  assignee_team_slug: string | null;
  assignee_team_name: string | null;
};

/** Issues with what they are shown with. */
export const selectIssues = (db: Kysely<Database>) =>
  db
    .selectFrom('issues')
    .innerJoin('projects', 'projects.id', 'issues.project_id')
    .leftJoin('users', 'users.id', 'issues.assignee_user_id')
    .leftJoin('teams', (join) =>
      join
        .onRef('teams.id', '=', 'issues.assignee_team_id')
        .onRef('teams.organization_id', '=', 'issues.organization_id'),
    )
    .selectAll('issues')
    .select([
      'projects.slug as project_slug',
      'users.name as assignee_name',
      'users.email as assignee_email',
      'teams.slug as assignee_team_slug',
      'teams.name as assignee_team_name',
    ]);

/** By id; ids of other organizations are left out. */
export async function findIssues(
  db: Kysely<Database>,
  organizationId: number,
  issueIds: readonly number[],
): Promise<Issue[]> {
  const rows = await selectIssues(db)
    .where('issues.organization_id', '=', organizationId)
    .where(sql<boolean>`issues.id = ANY(${issueIds}::bigint[])`)
    .orderBy('issues.id')
    .execute();
  return rows.map(toIssue);
}

export const toIssue = (row: IssueRow): Issue => ({
  id: row.id,
  organizationId: row.organization_id,
  projectId: row.project_id,
  projectSlug: row.project_slug,
  shortId: row.short_id,
  title: row.title,
  culprit: row.culprit,
  level: row.level,
  platform: row.platform,
  type: row.type,
  metadata: row.metadata,
  logger: row.logger,
  status: row.status,
  substatus: row.substatus,
  substatusAt: row.substatus_at?.getTime() ?? null,
  priority: row.priority,
  priorityLockedAt: row.priority_locked_at?.getTime() ?? null,
  firstSeen: row.first_seen.getTime(),
  lastSeen: row.last_seen.getTime(),
  timesSeen: row.times_seen,
  assignee:
    row.assignee_user_id === null
      ? null
      : { userId: row.assignee_user_id, name: row.assignee_name ?? '', email: row.assignee_email ?? '' },
  assigneeTeam:
    row.assignee_team_id === null
      ? null
      : {
          teamId: row.assignee_team_id,
          slug: row.assignee_team_slug ?? '',
          name: row.assignee_team_name ?? '',
        },
  resolvedAt: row.resolved_at?.getTime() ?? null,
  resolution: row.resolution,
  archive: row.archive,
  firstRelease: row.first_release,
  lastRelease: row.last_release,
});

/** Activities, as `a`, with their issues and users, as far as the rest of the statement keeps them. */
export const selectActivities = (rest: RawBuilder<unknown>) => query<Activity>`
  SELECT ${ACTIVITY} FROM activities a JOIN issues ON issues.id = a.issue_id
  LEFT JOIN users ON users.id = a.user_id ${rest}`;

/** Of a reply, `data.delivery` is what became of its message (a `ReplyDelivery`). */
export const ACTIVITY = sql`a.id, a.issue_id, a.type, ${userNamed('users')} AS "user", a.at,
  CASE WHEN a.type = 'reply' THEN a.data || coalesce((
    SELECT jsonb_build_object('delivery', jsonb_build_object('state', state, 'attempts', attempts,
      'lastError', last_error, 'dueAt', floor(extract(epoch FROM due_at) * 1000),
      'doneAt', floor(extract(epoch FROM done_at) * 1000)))
    FROM deliveries WHERE reply_id = a.id), '{}') ELSE a.data END AS data`;

/** Notes what was done to an issue, and notifies the pages that follow it. */
export async function noteActivity(
  transaction: Transaction<Database>,
  issue: { id: number; organizationId: number; projectId: number },
  activity: { type: ActivityType; data: object; userId: string | null; atMs: number },
): Promise<void> {
  await sql`
    INSERT INTO activities (issue_id, type, user_id, data, at)
    VALUES (${issue.id}, ${activity.type}, ${activity.userId}, ${toStorableJson(activity.data)}::jsonb,
      ${new Date(activity.atMs)})`.execute(transaction);
  await notifyChanges(transaction, [issue]);
}

/** Locks an issue of the organization; null when there is none. */
export async function lockIssue(
  transaction: Transaction<Database>,
  organizationId: number,
  issueId: number,
): Promise<{ id: number; organizationId: number; projectId: number } | null> {
  return await query<{ id: number; organizationId: number; projectId: number }>`
    SELECT id, organization_id, project_id FROM issues
    WHERE organization_id = ${organizationId} AND id = ${issueId} FOR NO KEY UPDATE`.first(transaction);
}
