import type { Activity, Issue } from '#domain/issues/issue.ts';
import { forbidden, notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';

/** Throws NotFound when the issue has no such comment, Forbidden when it is somebody else's. */
export async function requireOwnComment(
  ctx: Context,
  issue: Issue,
  commentId: number,
  userId: string,
): Promise<Activity> {
  const comment = await ctx.stores.comments.find(ctx.organization.id, issue.id, commentId);
  if (!comment) throw notFound(`The issue ${issue.shortId} has no comment ${commentId}`);
  if (comment.user?.id === userId) return comment;
  throw forbidden('The comment is somebody else’s: only its author may change it');
}
