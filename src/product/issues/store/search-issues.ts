import { type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import type { Issue, IssuePriority, IssueSort } from '#domain/issues/issue.ts';
import { invalid, isErrataError } from '#lib/errors.ts';
import type {
  Comparison,
  IssueCondition,
  IssueExpression,
  IssueTextField,
  TextMatch,
} from '#storage/ports/search.ts';
import type { Database } from '#storage/sql/schema.ts';
import type { IssuePage, IssuePlace } from '../issue-page.ts';
import { selectIssues, toIssue } from './issue-row.ts';

export const createIssueSearch = (db: Kysely<Database>) => ({
  /** The page from a place, the first one for null. Throws Invalid when it takes longer than a search may. */
  async search(
    organizationId: number,
    projectIds: readonly number[],
    expression: IssueExpression,
    { sort, limit, from = null }: { sort: StoredSort; limit: number; from?: IssuePlace | null },
  ): Promise<IssuePage> {
    if (projectIds.length === 0) return { issues: [], next: null, previous: null };
    const { column, toSql } = SORTS[sort];
    const isBackward = from?.side === 'before';
    const direction = isBackward ? 'asc' : 'desc';
    const rows = await withinTime(db, async (transaction) => {
      let query = selectIssues(transaction)
        .where(matchIssues(organizationId, projectIds, expression))
        .orderBy(column, direction)
        .orderBy('issues.id', direction)
        .limit(limit + 1);
      if (from) {
        const comparison = isBackward ? sql`>` : sql`<`;
        query = query.where(
          sql<boolean>`(${column}, issues.id) ${comparison} (${toSql(from.of.sortValue)}, ${from.of.id})`,
        );
      }
      return await query.execute();
    });
    const issues = rows.slice(0, limit).map(toIssue);
    if (isBackward) issues.reverse();
    const hasMore = rows.length > limit;
    return {
      issues,
      next: hasMore || isBackward ? placeAt(issues.at(-1), 'after', sort) : null,
      previous: isBackward
        ? hasMore
          ? placeAt(issues[0], 'before', sort)
          : null
        : from && placeAt(issues[0], 'before', sort),
    };
  },

  /** Number of issues that match each of the expressions, counted up to `max`: one question. */
  async countEach(
    organizationId: number,
    projectIds: readonly number[],
    expressions: readonly IssueExpression[],
    max: number,
  ): Promise<readonly number[]> {
    if (projectIds.length === 0) return expressions.map(() => 0);
    if (expressions.length === 0) return [];
    const { rows } = await withinTime(db, async (transaction) => {
      const counts = expressions.map((expression) => {
        const matching = transaction
          .selectFrom('issues')
          .select('issues.id')
          .where(matchIssues(organizationId, projectIds, expression))
          .limit(max);
        return sql`(SELECT count(*)::int FROM (${matching}) AS matching)`;
      });
      return await sql<{ counts: number[] }>`SELECT ARRAY[${sql.join(counts)}] AS counts`.execute(
        transaction,
      );
    });
    return rows[0]?.counts ?? [];
  },
});

/** What issues are sorted by in this store; the rest is a matter of their events. */
export type StoredSort = Extract<IssueSort, 'date' | 'new' | 'freq' | 'priority'>;

const asMoment = (ms: number) => sql`${new Date(ms)}::timestamptz`;
/** More than any moment in milliseconds: of two priorities the higher comes first, of the same the one seen last. */
const PRIORITY_WEIGHT = 1e13;
const PRIORITY_RANKS: Readonly<Record<IssuePriority, number>> = { high: 3, medium: 2, low: 1 };

const SORTS: Readonly<
  Record<
    StoredSort,
    {
      column: RawBuilder<unknown>;
      valueOf: (issue: Issue) => number;
      toSql: (value: number) => RawBuilder<unknown>;
    }
  >
> = {
  date: { column: sql`issues.last_seen`, valueOf: ({ lastSeen }) => lastSeen, toSql: asMoment },
  new: { column: sql`issues.first_seen`, valueOf: ({ firstSeen }) => firstSeen, toSql: asMoment },
  freq: {
    column: sql`issues.times_seen`,
    valueOf: ({ timesSeen }) => timesSeen,
    toSql: (value) => sql`${value}`,
  },
  priority: {
    column: sql`(CASE issues.priority WHEN 'high' THEN 3 WHEN 'medium' THEN 2 ELSE 1 END * ${sql.lit(PRIORITY_WEIGHT)}::float8
      + floor(extract(epoch FROM issues.last_seen) * 1000)::float8)`,
    valueOf: ({ priority, lastSeen }) => PRIORITY_RANKS[priority] * PRIORITY_WEIGHT + lastSeen,
    toSql: (value) => sql`${value}::float8`,
  },
};

function placeAt(issue: Issue | undefined, side: IssuePlace['side'], sort: StoredSort): IssuePlace | null {
  return issue ? { side, of: { sortValue: SORTS[sort].valueOf(issue), id: issue.id } } : null;
}

type Condition = RawBuilder<SqlBool>;

/** Rows of `issues` that the scope holds and the search asks for; an empty list of projects holds none. */
export function matchIssues(
  organizationId: number,
  projectIds: readonly number[],
  expression: IssueExpression,
): Condition {
  return sql<SqlBool>`(issues.organization_id = ${organizationId}
    AND issues.project_id = ANY(${projectIds}::bigint[]) AND ${matchExpression(expression, organizationId)})`;
}

function matchExpression(expression: IssueExpression, organizationId: number): Condition {
  if (expression.kind !== 'and' && expression.kind !== 'or')
    return matchCondition(expression, organizationId);
  if (expression.parts.length === 0) return expression.kind === 'and' ? sql`TRUE` : sql`FALSE`;
  const parts = expression.parts.map((part) => matchExpression(part, organizationId));
  return sql<SqlBool>`(${sql.join(parts, expression.kind === 'and' ? sql` AND ` : sql` OR `)})`;
}

function matchCondition(condition: IssueCondition, organizationId: number): Condition {
  switch (condition.kind) {
    case 'status':
      return unless(condition.isNegated, isOneOf(sql`issues.status`, condition.statuses));
    case 'substatus':
      return unless(condition.isNegated, isOneOf(sql`issues.substatus`, condition.substatuses));
    case 'assignee':
      return unless(condition.isNegated, matchAssignee(condition));
    case 'bookmarked':
      return unless(
        condition.isNegated,
        sql`EXISTS (SELECT FROM issue_bookmarks
          WHERE issue_bookmarks.issue_id = issues.id AND issue_bookmarks.user_id = ANY(${condition.userIds}::text[]))`,
      );
    case 'subscribed':
      return unless(
        condition.isNegated,
        sql`EXISTS (SELECT FROM issue_subscriptions
          WHERE issue_subscriptions.issue_id = issues.id AND issue_subscriptions.is_subscribed
            AND issue_subscriptions.user_id = ANY(${condition.userIds}::text[]))`,
      );
    case 'linked':
      return unless(
        condition.isNegated,
        sql`EXISTS (SELECT FROM issue_links WHERE issue_links.issue_id = issues.id)`,
      );
    case 'text':
      return unless(condition.isNegated, matchesText(TEXTS[condition.field], condition.matches));
    case 'number':
      return compare(
        sql.ref(`issues.${condition.field}`),
        condition.comparison,
        sql`${condition.value}::float8`,
      );
    case 'moment':
      return compare(
        sql.ref(`issues.${condition.field}`),
        condition.comparison,
        sql`${new Date(condition.atMs)}::timestamptz`,
      );
    case 'projects':
      return unless(condition.isNegated, sql`issues.project_id = ANY(${condition.projectIds}::bigint[])`);
    case 'release':
      return unless(condition.isNegated, matchRelease(condition, organizationId));
    case 'words':
      return unless(
        condition.isNegated,
        sql`EXISTS (SELECT FROM issue_texts
          WHERE issue_texts.issue_id = issues.id AND issue_texts.content ILIKE ${likePattern(condition.match)})`,
      );
    case 'hashes':
      return matchHashes(condition.hashes);
  }
}

/** What is unknown, like the substatus of a resolved issue, is not what is unwanted. */
const unless = (isNegated: boolean, condition: RawBuilder<unknown>): Condition =>
  isNegated ? sql<SqlBool>`(${condition}) IS NOT TRUE` : sql<SqlBool>`(${condition})`;

/** One value is an equality: an index on it then gives its rows in order. */
const isOneOf = (column: RawBuilder<unknown>, values: readonly string[]): Condition =>
  values.length === 1
    ? sql<SqlBool>`${column} = ${values[0]}`
    : sql<SqlBool>`${column} = ANY(${values}::text[])`;

const TEXTS: Readonly<Record<IssueTextField, RawBuilder<string>>> = {
  level: sql`issues.level`,
  platform: sql`issues.platform`,
  logger: sql`coalesce(issues.logger, '')`,
  title: sql`issues.title`,
  culprit: sql`issues.culprit`,
  priority: sql`issues.priority`,
  short_id: sql`issues.short_id`,
  type: sql`issues.type`,
};

const OPERATORS: Readonly<Record<Comparison, RawBuilder<unknown>>> = {
  '=': sql`=`,
  '!=': sql`<>`,
  '<': sql`<`,
  '<=': sql`<=`,
  '>': sql`>`,
  '>=': sql`>=`,
};

const compare = (value: RawBuilder<unknown>, comparison: Comparison, bound: RawBuilder<unknown>): Condition =>
  sql<SqlBool>`${value} ${OPERATORS[comparison]} ${bound}`;

function matchAssignee({
  userIds,
  teamIds,
  isNobody,
}: Extract<IssueCondition, { kind: 'assignee' }>): Condition {
  const alternatives: Condition[] = [];
  if (userIds.length > 0) alternatives.push(sql`issues.assignee_user_id = ANY(${userIds}::text[])`);
  if (teamIds.length > 0) alternatives.push(sql`issues.assignee_team_id = ANY(${teamIds}::bigint[])`);
  if (isNobody) alternatives.push(sql`issues.assignee_user_id IS NULL AND issues.assignee_team_id IS NULL`);
  return alternatives.length === 0 ? sql`FALSE` : sql`(${sql.join(alternatives, sql` OR `)})`;
}

function matchRelease(
  { which, matches }: Extract<IssueCondition, { kind: 'release' }>,
  organizationId: number,
): Condition {
  if (which === 'first') return matchesText(sql`issues.first_release`, matches);
  return sql`EXISTS (SELECT FROM issue_releases JOIN releases ON releases.id = issue_releases.release_id
    WHERE issue_releases.issue_id = issues.id AND releases.organization_id = ${organizationId}
      AND ${matchesText(sql`releases.version`, matches)})`;
}

function matchHashes(hashes: Extract<IssueCondition, { kind: 'hashes' }>['hashes']): Condition {
  if (hashes.length === 0) return sql`FALSE`;
  return sql`issues.id IN (
    SELECT grouping_hashes.issue_id
    FROM unnest(${hashes.map(({ projectId }) => projectId)}::bigint[], ${hashes.map(({ hash }) => hash)}::text[])
      AS matching (project_id, hash)
    JOIN grouping_hashes ON grouping_hashes.project_id = matching.project_id
      AND grouping_hashes.hash = matching.hash)`;
}

/** Whether the text is one of the matches. Patterns ignore case, exact texts do not. */
export function matchesText(text: RawBuilder<string>, matches: readonly TextMatch[]): RawBuilder<SqlBool> {
  const exact = matches.filter((match) => match.kind === 'exact').map((match) => storable(match.text));
  const patterns = matches.filter((match) => match.kind === 'pattern').map(likePattern);
  const alternatives: RawBuilder<SqlBool>[] = [];
  if (exact.length > 0) alternatives.push(sql<SqlBool>`${text} = ANY(${exact}::text[])`);
  if (patterns.length > 0) alternatives.push(sql<SqlBool>`${text} ILIKE ANY(${patterns}::text[])`);
  if (alternatives.length === 0) return sql<SqlBool>`FALSE`;
  return sql<SqlBool>`(${sql.join(alternatives, sql` OR `)})`;
}

export const likePattern = (match: TextMatch): string =>
  match.kind === 'exact' ? escapeLike(match.text) : match.parts.map(escapeLike).join('%');

/** Of LIKE's own characters, none may mean more than itself. */
const escapeLike = (text: string): string => storable(text).replaceAll(/[\\%_]/g, '\\$&');

/** PostgreSQL's texts hold no NUL. */
const storable = (text: string): string => text.replaceAll('\0', '');

/** A search that takes longer is given up: it is too broad, and others wait for the machine. */
export const SEARCH_TIME_MAX_MS = 10_000;
const QUERY_CANCELED = '57014';

/** Runs what is read within the time that a search may take. Throws Invalid when it takes longer. */
export async function withinTime<Result>(
  db: Kysely<Database>,
  read: (transaction: Transaction<Database>) => Promise<Result>,
  timeMaxMs = SEARCH_TIME_MAX_MS,
): Promise<Result> {
  try {
    return await db.transaction().execute(async (transaction) => {
      await sql`SET LOCAL statement_timeout = ${sql.lit(timeMaxMs)}`.execute(transaction);
      return await read(transaction);
    });
  } catch (error) {
    if (!isCanceled(error)) throw error;
    throw invalid(
      `The search took longer than ${timeMaxMs / 1000} seconds: choose fewer projects or a narrower search`,
      'query',
    );
  }
}

function isCanceled(error: unknown): boolean {
  const cause = isErrataError(error) ? error.cause : error;
  return (cause as { code?: unknown } | undefined)?.code === QUERY_CANCELED;
}
