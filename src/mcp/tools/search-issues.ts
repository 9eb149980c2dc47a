import { z } from 'zod';
import { ISSUE_SORTS } from '#domain/issues/issue.ts';
import { listSimilarIssues } from '#product/grouping/list-similar-issues.ts';
import { listIssues } from '#product/issues/list-issues.ts';
import {
  cursorInput,
  environmentInput,
  issueInput,
  limitInput,
  periodInput,
  projectInput,
  rangeOf,
} from '../inputs.ts';
import { DATA_SENTENCE, fencedRows, moreRows, paragraphs } from '../text/answer.ts';
import { ISSUE_COLUMNS, issueRow } from '../text/issue-text.ts';
import { defineTool } from '../tool.ts';
import { findIssue } from './find-named.ts';

const QUERY_DEFAULT = 'is:unresolved';

export const searchIssues = defineTool({
  name: 'search_issues',
  title: 'Search issues',
  description: `Issues that match a search in Sentry's syntax, for example "is:unresolved level:[error, fatal] !browser.name:Firefox release:latest coupon". Keys of issues: is (unresolved, resolved, archived, new, regressed, escalating, assigned), assigned (me, none, #team, email address), level, issue.category (error, performance, feedback, cron, uptime), issue.type, issue.priority, firstSeen and lastSeen (-24h, >2026-01-31), timesSeen (>100), firstRelease. Keys of events: release, environment, transaction, error.type, stack.filename, user.email, http.url and every tag. Words are matched against title, culprit and message. An invalid search is rejected with the position of the error.`,
  right: 'event:read',
  input: z.strictObject({
    query: z
      .string()
      .max(4_096)
      .default(QUERY_DEFAULT)
      .describe('The search. An empty search finds every issue.'),
    project: projectInput,
    environment: environmentInput,
    period: periodInput.optional().describe('Only issues last seen within this period, such as 24h or 14d.'),
    sort: z
      .enum(ISSUE_SORTS)
      .default('date')
      .describe(
        'date: most recently seen first; new: most recently created first; trends: growing most first; freq: most events first; user: most users first; priority: highest priority first.',
      ),
    limit: limitInput,
    cursor: cursorInput,
  }),
  async run(ctx, { query, project, environment, period, sort, limit, cursor = null }) {
    const { issues, nextCursor, isCut, isFiltered, ranked } = await listIssues(ctx, {
      query,
      projectSlugs: project ? [project] : [],
      environments: environment ? [environment] : [],
      range: period ? rangeOf(period, ctx.now()) : null,
      sort,
      cursor,
      limit,
    });
    if (issues.length === 0) return 'No matching issues. Try fewer terms, or another project or period.';
    return paragraphs(
      DATA_SENTENCE,
      ISSUE_COLUMNS,
      fencedRows(issues.map((issue) => issueRow(issue, issue.activity))),
      isFiltered && 'Events and users are those that match the environment and the search.',
      ranked !== null && `Only ${ranked} issues were ranked: narrow the search to rank the others.`,
      isCut && 'More events match than can be checked: issues that were last seen long ago may be missing.',
      moreRows(nextCursor),
    );
  },
});

export const findSimilarIssues = defineTool({
  name: 'find_similar_issues',
  title: 'Find similar issues',
  description:
    'Other issues in the same project that may be the same problem, most similar first, with the similarity of their titles and grouping. Look here for an earlier fix, or before filing a duplicate.',
  right: 'event:read',
  input: z.strictObject({ issue: issueInput }),
  async run(ctx, { issue: named }) {
    const { issue } = await findIssue(ctx, named);
    const similar = await listSimilarIssues(ctx, issue);
    if (similar.length === 0) return `No other issue in ${issue.projectSlug} is similar to ${issue.shortId}.`;
    return paragraphs(
      DATA_SENTENCE,
      'Each row: title similarity, grouping similarity | short id | state | level | priority | events | first seen | last seen | project | assignee | title | culprit',
      fencedRows(
        similar.map(
          ({ issue: other, title, grouping }) =>
            `${percent(title)}, ${grouping === null ? 'unknown' : percent(grouping)} | ${issueRow(other)}`,
        ),
      ),
    );
  },
});

const percent = (share: number): string => `${Math.round(share * 100)}%`;
