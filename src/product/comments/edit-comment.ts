import type { Activity, Issue } from '#domain/issues/issue.ts';
import { actingUserId } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { checkComment } from './check-comment.ts';
import { readMentions, subscribeMentioned } from './mentioned.ts';
import { requireOwnComment } from './require-own-comment.ts';

/** The author alone may. Throws Invalid, NotFound, and Forbidden for a comment of somebody else. */
export async function editComment(
  ctx: Context,
  issue: Issue,
  input: { commentId: number; text: string },
): Promise<Activity> {
  requireRight(ctx, 'event:write');
  const userId = actingUserId(ctx);
  const before = await requireOwnComment(ctx, issue, input.commentId, userId);
  const text = checkComment(input.text);
  const mentions = await readMentions(ctx, text);
  const comment = await ctx.stores.comments.edit(
    ctx.organization.id,
    issue.id,
    input.commentId,
    userId,
    { text, mentions: mentions.found },
    ctx.now(),
  );
  await subscribeMentioned(ctx, issue, mentions);
  return comment ?? before;
}
