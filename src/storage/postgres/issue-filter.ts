import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { IssueFilter } from '#storage/ports/issues.ts';
import type { Database } from './schema.ts';

type IssueExpressions = ExpressionBuilder<Database, 'issues'>;

/** The conditions of a search as one: an empty list of a filter restricts nothing, an empty list of projects all. */
export function matchIssues(
  issue: IssueExpressions,
  organizationId: number,
  projectIds: readonly number[],
  filter: IssueFilter,
): Expression<SqlBool> {
  const conditions: Expression<SqlBool>[] = [
    issue('issues.organization_id', '=', organizationId),
    sql<SqlBool>`issues.project_id = ANY(${projectIds}::bigint[])`,
  ];
  if (filter.statuses.length > 0) conditions.push(issue('issues.status', 'in', filter.statuses));
  if (filter.substatuses.length > 0) conditions.push(issue('issues.substatus', 'in', filter.substatuses));
  if (filter.levels.length > 0) conditions.push(issue('issues.level', 'in', filter.levels));
  if (filter.assignees.length > 0) conditions.push(matchAssignees(issue, filter.assignees));
  if (filter.types.length > 0) {
    const types = filter.types.map((type) => type.toLowerCase());
    conditions.push(sql<SqlBool>`lower(issues.metadata ->> 'type') = ANY(${types}::text[])`);
  }
  if (filter.releases.length > 0) {
    conditions.push(
      sql<SqlBool>`EXISTS (
        SELECT FROM issue_releases JOIN releases ON releases.id = issue_releases.release_id
        WHERE issue_releases.issue_id = issues.id AND releases.organization_id = ${organizationId}
          AND releases.version = ANY(${filter.releases}::text[]))`,
    );
  }
  for (const text of filter.text) conditions.push(containsText(text));
  if (filter.seen) {
    conditions.push(issue('issues.last_seen', '>=', new Date(filter.seen.fromMs)));
    conditions.push(issue('issues.last_seen', '<', new Date(filter.seen.toMs)));
  }
  const { levels, statuses, substatuses, assignees, text } = filter.negated;
  const unwanted = text.map(containsText);
  if (levels.length > 0) unwanted.push(issue('issues.level', 'in', levels));
  if (statuses.length > 0) unwanted.push(issue('issues.status', 'in', statuses));
  if (substatuses.length > 0) unwanted.push(issue('issues.substatus', 'in', substatuses));
  if (assignees.length > 0) unwanted.push(matchAssignees(issue, assignees));
  // What is unknown, like the substatus of a resolved issue, is not what is unwanted.
  for (const condition of unwanted) conditions.push(sql<SqlBool>`(${condition}) IS NOT TRUE`);
  return issue.and(conditions);
}

function matchAssignees(issue: IssueExpressions, assignees: readonly string[]): Expression<SqlBool> {
  const userIds = assignees.filter((assignee) => assignee !== 'none');
  const alternatives: Expression<SqlBool>[] = [];
  if (userIds.length > 0) alternatives.push(issue('issues.assignee_user_id', 'in', userIds));
  if (userIds.length < assignees.length) alternatives.push(issue('issues.assignee_user_id', 'is', null));
  return issue.or(alternatives);
}

const containsText = (text: string): Expression<SqlBool> =>
  sql<SqlBool>`EXISTS (
    SELECT FROM issue_texts
    WHERE issue_texts.issue_id = issues.id AND issue_texts.content ILIKE ${`%${escapeLike(text)}%`})`;

/** Of LIKE's own characters, none may mean more than itself. */
const escapeLike = (text: string): string => text.replaceAll('\0', '').replaceAll(/[\\%_]/g, '\\$&');
