import type { Activity, Issue } from '#domain/issues/issue.ts';
import { forbidden, invalid, notFound } from '#lib/errors.ts';
import { actingUserId } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { issueNotFound } from '#product/issues/get-issue.ts';
import { requireRight } from '#product/permissions.ts';
import { readMentions, subscribeMentioned } from './list-activities.ts';

/** The author and everybody who is named hear of the issue from then on. Throws Invalid for an empty or long text. */
export async function addComment(ctx: Context, issue: Issue, input: { text: string }): Promise<Activity> {
  requireRight(ctx, 'event:write');
  const userId = actingUserId(ctx);
  const text = checkComment(input.text);
  const mentions = await readMentions(ctx, text);
  const organizationId = ctx.organization.id;
  const comment = await ctx.stores.comments.add(
    organizationId,
    issue.id,
    userId,
    { text, mentions: mentions.found },
    ctx.now(),
  );
  if (!comment) throw issueNotFound(ctx, issue.shortId);
  await ctx.stores.issueUserState.subscribe(organizationId, [issue.id], [userId], 'commented');
  await subscribeMentioned(ctx, issue, mentions);
  return comment;
}

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

/** The author alone may. Throws NotFound, and Forbidden for a comment of somebody else. */
export async function deleteComment(ctx: Context, issue: Issue, input: { commentId: number }): Promise<void> {
  requireRight(ctx, 'event:write');
  const userId = actingUserId(ctx);
  await requireOwnComment(ctx, issue, input.commentId, userId);
  await ctx.stores.comments.delete(ctx.organization.id, issue.id, input.commentId, userId);
}

/** Throws NotFound when the issue has no such comment, Forbidden when it is somebody else's. */
export async function requireOwnComment(
  ctx: Context,
  issue: Issue,
  commentId: number,
  userId: string,
): Promise<Activity> {
  const comment = await ctx.stores.comments.find(ctx.organization.id, issue.id, commentId);
  if (!comment) throw notFound(`Issue ${issue.shortId} has no comment ${commentId}`);
  if (comment.user?.id === userId) return comment;
  throw forbidden('Only the author of a comment can change it');
}

export const COMMENT_CHARACTERS_MAX = 10_000;

/** The text, trimmed. Throws Invalid when it is empty or too long. */
export function checkComment(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw invalid('The comment is empty: enter some text', 'text');
  if (trimmed.length > COMMENT_CHARACTERS_MAX) {
    throw invalid(
      `The comment has ${trimmed.length} characters: shorten it to at most ${COMMENT_CHARACTERS_MAX}`,
      'text',
    );
  }
  return trimmed;
}
