import type { Issue } from '#domain/issues/issue.ts';
import { actingUserId } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { requireOwnComment } from './require-own-comment.ts';

/** The author alone may. Throws NotFound, and Forbidden for a comment of somebody else. */
export async function deleteComment(ctx: Context, issue: Issue, input: { commentId: number }): Promise<void> {
  requireRight(ctx, 'event:write');
  const userId = actingUserId(ctx);
  await requireOwnComment(ctx, issue, input.commentId, userId);
  await ctx.stores.comments.delete(ctx.organization.id, issue.id, input.commentId, userId);
}
