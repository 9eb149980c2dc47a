import type { Activity, Issue } from '#domain/issues/issue.ts';
import { actingUserId } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { issueNotFound } from '#product/issues/get-issue.ts';
import { requireRight } from '#product/permissions.ts';
import { checkComment } from './check-comment.ts';
import { readMentions, subscribeMentioned } from './mentioned.ts';

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
