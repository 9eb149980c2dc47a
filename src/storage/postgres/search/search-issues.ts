import { type Kysely, sql } from 'kysely';
import type { Issue } from '#domain/issues/issue.ts';
import type { IssueCursor, IssueSort, IssueStore } from '#storage/ports/issues.ts';
import { selectIssues, toIssue } from '../issue-row.ts';
import type { Database } from '../schema.ts';
import { matchIssues } from './match-issues.ts';
import { withinTime } from './within-time.ts';

export const createIssueSearch = (db: Kysely<Database>): Pick<IssueStore, 'search' | 'count'> => ({
  async search(organizationId, projectIds, expression, { sort, limit, after }) {
    if (projectIds.length === 0) return { issues: [], next: null };
    const column = SORT_COLUMNS[sort];
    const rows = await withinTime(db, async (transaction) => {
      let query = selectIssues(transaction)
        .where(matchIssues(organizationId, projectIds, expression))
        .orderBy(column, 'desc')
        .orderBy('issues.id', 'desc')
        .limit(limit + 1);
      if (after) {
        const value = column === 'issues.times_seen' ? after.sortValue : new Date(after.sortValue);
        query = query.where(sql<boolean>`(${sql.ref(column)}, issues.id) < (${value}, ${after.id})`);
      }
      return await query.execute();
    });
    const issues = rows.map(toIssue);
    if (issues.length <= limit) return { issues, next: null };
    issues.length = limit;
    return { issues, next: cursorAfter(issues.at(-1), sort) };
  },

  async count(organizationId, projectIds, expression, max) {
    if (projectIds.length === 0) return 0;
    const { count } = await withinTime(
      db,
      async (transaction) =>
        await transaction
          .selectFrom((query) =>
            query
              .selectFrom('issues')
              .select('issues.id')
              .where(matchIssues(organizationId, projectIds, expression))
              .limit(max)
              .as('matching'),
          )
          .select((row) => row.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow(),
    );
    return count;
  },
});

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
