import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Activity, Issue, IssueCursor, IssueSort, IssueStore } from '#storage/ports/issues.ts';
import { notifyChanges } from './change-feed.ts';
import { applyIssueChange } from './issue-change.ts';
import { matchIssues } from './issue-filter.ts';
import type { Database, IssueTable } from './schema.ts';
import { toStorableJson } from './storable-json.ts';

export function createIssueStore(db: Kysely<Database>): IssueStore {
  return {
    async search(organizationId, projectIds, filter, { sort, limit, after }) {
      if (projectIds.length === 0) return { issues: [], next: null };
      const column = SORT_COLUMNS[sort];
      let query = selectIssues(db)
        .where((issue) => matchIssues(issue, organizationId, projectIds, filter))
        .orderBy(column, 'desc')
        .orderBy('issues.id', 'desc')
        .limit(limit + 1);
      if (after) {
        const value = column === 'issues.times_seen' ? after.sortValue : new Date(after.sortValue);
        query = query.where(sql<boolean>`(${sql.ref(column)}, issues.id) < (${value}, ${after.id})`);
      }
      const issues = (await query.execute()).map(toIssue);
      if (issues.length <= limit) return { issues, next: null };
      issues.length = limit;
      return { issues, next: cursorAfter(issues.at(-1), sort) };
    },

    async count(organizationId, projectIds, filter, max) {
      if (projectIds.length === 0) return 0;
      const { count } = await db
        .selectFrom((query) =>
          query
            .selectFrom('issues')
            .select('issues.id')
            .where((issue) => matchIssues(issue, organizationId, projectIds, filter))
            .limit(max)
            .as('matching'),
        )
        .select((row) => row.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return count;
    },

    async findByIds(organizationId, issueIds) {
      return await findIssues(db, organizationId, issueIds);
    },

    async findByShortId(organizationId, shortId) {
      const row = await selectIssues(db)
        .where('issues.organization_id', '=', organizationId)
        .where('issues.short_id', '=', shortId.toUpperCase())
        .executeTakeFirst();
      return row ? toIssue(row) : null;
    },

    async findByHash(organizationId, projectId, hash) {
      const row = await selectIssues(db)
        .innerJoin('grouping_hashes', 'grouping_hashes.issue_id', 'issues.id')
        .where('issues.organization_id', '=', organizationId)
        .where('grouping_hashes.project_id', '=', projectId)
        .where('grouping_hashes.hash', '=', hash)
        .executeTakeFirst();
      return row ? toIssue(row) : null;
    },

    async listHashes(organizationId, issueIds) {
      const rows = await db
        .selectFrom('grouping_hashes')
        .innerJoin('issues', 'issues.id', 'grouping_hashes.issue_id')
        .select(['grouping_hashes.issue_id', 'grouping_hashes.hash'])
        .where('issues.organization_id', '=', organizationId)
        .where(sql<boolean>`grouping_hashes.issue_id = ANY(${issueIds}::bigint[])`)
        .orderBy('grouping_hashes.hash')
        .execute();
      const hashes = new Map<number, string[]>();
      for (const { issue_id, hash } of rows) {
        const known = hashes.get(issue_id);
        if (known) known.push(hash);
        else hashes.set(issue_id, [hash]);
      }
      return hashes;
    },

    async update(organizationId, issueIds, change, actorUserId, atMs) {
      return await db.transaction().execute(async (transaction) => {
        const before = await lockIssues(transaction, organizationId, issueIds);
        const changes = before.flatMap((issue) => applyIssueChange(issue, change, atMs) ?? []);
        if (changes.length > 0) {
          await writeChanges(transaction, changes, actorUserId, atMs);
          await notifyChanges(
            transaction,
            changes.map(({ issue }) => issue),
          );
        }
        return before;
      });
    },

    async listActivity(organizationId, issueId, limit) {
      const rows = await db
        .selectFrom('activities')
        .innerJoin('issues', 'issues.id', 'activities.issue_id')
        .leftJoin('users', 'users.id', 'activities.user_id')
        .selectAll('activities')
        .select('users.name as user_name')
        .where('issues.organization_id', '=', organizationId)
        .where('activities.issue_id', '=', issueId)
        .orderBy('activities.at', 'desc')
        .orderBy('activities.id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(
        (row): Activity => ({
          id: row.id,
          issueId: row.issue_id,
          type: row.type,
          user:
            row.user_id !== null && row.user_name !== null ? { id: row.user_id, name: row.user_name } : null,
          data: row.data,
          at: row.at.getTime(),
        }),
      );
    },

    async ageNewIssues(beforeMs, limit) {
      const { rows } = await sql`
        WITH aged AS (
          SELECT id FROM issues
          WHERE status = 'unresolved' AND substatus = 'new' AND first_seen < ${new Date(beforeMs)}
          ORDER BY id LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
        ), noted AS (
          INSERT INTO activities (issue_id, type, at) SELECT id, 'auto_set_ongoing', now() FROM aged
        )
        UPDATE issues SET substatus = 'ongoing' FROM aged WHERE issues.id = aged.id RETURNING issues.id`.execute(
        db,
      );
      return rows.length;
    },
  };
}

const SORT_COLUMNS = {
  date: 'issues.last_seen',
  new: 'issues.first_seen',
  freq: 'issues.times_seen',
} as const satisfies Record<IssueSort, string>;

function cursorAfter(last: Issue | undefined, sort: IssueSort): IssueCursor | null {
  if (!last) return null;
  const sortValue = { date: last.lastSeen, new: last.firstSeen, freq: last.timesSeen }[sort];
  return { sortValue, id: last.id };
}

const selectIssues = (db: Kysely<Database>) =>
  db
    .selectFrom('issues')
    .innerJoin('projects', 'projects.id', 'issues.project_id')
    .leftJoin('users', 'users.id', 'issues.assignee_user_id')
    .selectAll('issues')
    .select([
      'projects.slug as project_slug',
      'users.name as assignee_name',
      'users.email as assignee_email',
    ]);

async function findIssues(
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

/** Locked by id, as everybody does it; read again afterwards, since others may have changed them until then. */
async function lockIssues(
  transaction: Transaction<Database>,
  organizationId: number,
  issueIds: readonly number[],
): Promise<Issue[]> {
  await sql`
    SELECT FROM issues WHERE organization_id = ${organizationId} AND id = ANY(${issueIds}::bigint[])
    ORDER BY id FOR NO KEY UPDATE`.execute(transaction);
  return await findIssues(transaction, organizationId, issueIds);
}

type IssueChanges = NonNullable<ReturnType<typeof applyIssueChange>>;

async function writeChanges(
  transaction: Transaction<Database>,
  changes: readonly IssueChanges[],
  actorUserId: string | null,
  atMs: number,
): Promise<void> {
  const rows = changes.map(({ issue, after }) => ({
    id: issue.id,
    status: after.status,
    substatus: after.substatus,
    resolved_at: after.resolvedAt === null ? null : new Date(after.resolvedAt),
    assignee_user_id: after.assigneeUserId,
  }));
  await sql`
    UPDATE issues SET status = after.status, substatus = after.substatus, resolved_at = after.resolved_at,
      assignee_user_id = after.assignee_user_id
    FROM json_to_recordset(${toStorableJson(rows)}::json) AS after (id bigint, status text, substatus text,
      resolved_at timestamptz, assignee_user_id text)
    WHERE issues.id = after.id`.execute(transaction);
  const activities = changes.flatMap(({ issue, activities: list }) =>
    list.map(({ type, data }) => ({ issue_id: issue.id, type, data })),
  );
  await sql`
    INSERT INTO activities (issue_id, type, user_id, data, at)
    SELECT issue_id, type, ${actorUserId}, data, ${new Date(atMs)}
    FROM json_to_recordset(${toStorableJson(activities)}::json) AS activity (issue_id bigint, type text, data jsonb)
    `.execute(transaction);
}

type IssueRow = Selectable<IssueTable> & {
  project_slug: string;
  assignee_name: string | null;
  assignee_email: string | null;
};

const toIssue = (row: IssueRow): Issue => ({
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
  firstSeen: row.first_seen.getTime(),
  lastSeen: row.last_seen.getTime(),
  timesSeen: row.times_seen,
  assignee:
    row.assignee_user_id === null
      ? null
      : { userId: row.assignee_user_id, name: row.assignee_name ?? '', email: row.assignee_email ?? '' },
  resolvedAt: row.resolved_at?.getTime() ?? null,
  firstRelease: row.first_release,
  lastRelease: row.last_release,
});
