import { z } from 'zod';
import { listActivities } from '#product/comments/list-activities.ts';
import { cursorInput, issueInput, limitInput } from '../inputs.ts';
import { activityRow } from '../text/activity-text.ts';
import { DATA_SENTENCE, fencedRows, moreRows, paragraphs } from '../text/answer.ts';
import { defineTool } from '../tool.ts';
import { findIssue } from './find-issue.ts';

export const getIssueActivity = defineTool({
  name: 'get_issue_activity',
  title: 'Read the history of an issue',
  description:
    'What people and the system did to an issue, newest first: comments, assignments, resolutions, regressions, merges.',
  right: 'event:read',
  input: z.strictObject({
    issue: issueInput,
    only: z.enum(['everything', 'comments']).default('everything'),
    limit: limitInput,
    cursor: cursorInput,
  }),
  async run(ctx, { issue: named, only, limit, cursor = null }) {
    const { issue } = await findIssue(ctx, named);
    const { activities, nextCursor } = await listActivities(ctx, issue, {
      only: only === 'comments' ? 'comments' : null,
      cursor,
      limit,
    });
    if (activities.length === 0) return `Nothing of the kind happened to ${issue.shortId} yet.`;
    return paragraphs(DATA_SENTENCE, fencedRows(activities.map(activityRow)), moreRows(nextCursor));
  },
});
