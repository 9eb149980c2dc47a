import { z } from 'zod';
import { addComment, COMMENT_CHARACTERS_MAX } from '#product/comments/comments.ts';
import { listActivities } from '#product/comments/list-activities.ts';
import { cursorInput, issueInput, limitInput } from '../inputs.ts';
import { DATA_SENTENCE, fencedRows, moreRows, paragraphs } from '../text/answer.ts';
import { activityRow, issuePage } from '../text/issue-text.ts';
import { defineTool } from '../tool.ts';
import { findIssue } from './find-named.ts';

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
    if (activities.length === 0) return `${issue.shortId} has no such activity yet.`;
    return paragraphs(DATA_SENTENCE, fencedRows(activities.map(activityRow)), moreRows(nextCursor));
  },
});

export const addCommentTool = defineTool({
  name: 'add_comment',
  title: 'Comment on an issue',
  description:
    'Adds a comment in the name of the token’s owner, as Markdown. @name and #team notify those people. Use it for findings and what was done about them.',
  right: 'event:write',
  isChange: true,
  input: z.strictObject({
    issue: issueInput,
    text: z.string().min(1).max(COMMENT_CHARACTERS_MAX).describe('The comment.'),
  }),
  async run(ctx, { issue: named, text }) {
    const { issue } = await findIssue(ctx, named);
    const { id } = await addComment(ctx, issue, { text });
    return `Comment ${id} was added to ${issue.shortId}: ${issuePage(ctx, issue)}/activity`;
  },
});
