import { z } from 'zod';
import { listSimilarIssues } from '#product/grouping/list-similar-issues.ts';
import { issueInput } from '../inputs.ts';
import { DATA_SENTENCE, fencedRows, paragraphs } from '../text/answer.ts';
import { issueRow } from '../text/issue-text.ts';
import { defineTool } from '../tool.ts';
import { findIssue } from './find-issue.ts';

export const findSimilarIssues = defineTool({
  name: 'find_similar_issues',
  title: 'Find similar issues',
  description:
    'Other issues of the same project that may be the same problem, most alike first, with how much of their titles and of what they are grouped by is the same. Look here for an earlier fix, or before filing a duplicate.',
  right: 'event:read',
  input: z.strictObject({ issue: issueInput }),
  async run(ctx, { issue: named }) {
    const { issue } = await findIssue(ctx, named);
    const similar = await listSimilarIssues(ctx, issue);
    if (similar.length === 0) return `No other issue of ${issue.projectSlug} is like ${issue.shortId}.`;
    return paragraphs(
      DATA_SENTENCE,
      'Each row: likeness of the titles, of the grouping | short id | state | level | priority | events | first seen | last seen | project | assignee | title | culprit',
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
