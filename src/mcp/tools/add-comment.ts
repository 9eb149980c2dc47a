import { z } from 'zod';
import { addComment, COMMENT_CHARACTERS_MAX } from '#product/comments/comments.ts';
import { issueInput } from '../inputs.ts';
import { issuePage } from '../text/issue-text.ts';
import { defineTool } from '../tool.ts';
import { findIssue } from './find-issue.ts';

export const addCommentTool = defineTool({
  name: 'add_comment',
  title: 'Comment on an issue',
  description:
    'Writes a comment under the name of the token’s owner, as Markdown. @name and #team tell these people. Use it for what was found out and what was done about it.',
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
