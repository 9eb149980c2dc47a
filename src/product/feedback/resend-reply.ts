import { type Mailer, NO_MAIL_SERVER } from '#delivery/ports/mailer.ts';
import type { Activity, Issue } from '#domain/issues/issue.ts';
import { conflict, invalid, notFound } from '#lib/errors.ts';
import { actingUserId } from '#product/acting-user.ts';
import { audited, issueTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { findIssueEvent } from '#product/issues/issue-events.ts';
import { composeReply } from '#product/messages/compose-reply.ts';
import { requireRight } from '#product/permissions.ts';
import { roomForReplies, tooManyReplies } from './reply-to-feedback.ts';
import { senderAddress } from './sender-address.ts';

/**
 * Sends a reply whose mail failed again, to the same address, in the name of whoever wrote it. Throws NotFound for a reply
 * that is not there, Conflict for one that has not failed, Invalid without a mail server or its author, and RateLimited as
 * `replyToFeedback`.
 */
export async function resendReply(
  ctx: Context,
  mailer: Pick<Mailer, 'isConfigured'>,
  issue: Issue,
  { replyId }: { replyId: number },
): Promise<Activity> {
  requireRight(ctx, 'event:write');
  actingUserId(ctx);
  if (!mailer.isConfigured) throw invalid(NO_MAIL_SERVER);
  const organizationId = ctx.organization.id;
  const reply = await ctx.stores.feedbackReplies.find(organizationId, issue.id, replyId);
  if (!reply) throw notFound(`${issue.shortId} has no reply ${replyId}`);
  const author = reply.user && (await ctx.stores.accounts.findUser(reply.user.id));
  if (!author) throw invalid('The account of its author was deleted: write a new reply');
  const { text, to } = reply.data as { text: string; to: string };
  const quoted = await findQuoted(ctx, issue, reply);
  return await audited(
    ctx,
    async (within) => {
      const content = composeReply({ shortId: issue.shortId, text, to, quoted, author });
      const { feedbackReplies } = within.stores;
      const queued = await feedbackReplies.resend(
        organizationId,
        { issueId: issue.id, replyId, content },
        roomForReplies(within.now()),
        within.now(),
      );
      if (queued === null) throw conflict('Only a reply that failed can be sent again');
      if (queued === 'full') throw tooManyReplies();
      return queued;
    },
    () => ({ action: 'feedback.resend', target: issueTarget(issue), data: { to } }),
  );
}

/** What the feedback says that it answers; empty when that is gone, or is not from this address. */
async function findQuoted(ctx: Context, issue: Issue, { data }: Activity): Promise<string> {
  const event = await findIssueEvent(ctx, issue, typeof data.eventId === 'string' ? data.eventId : 'latest');
  if (!event || senderAddress(event.payload) !== data.to) return '';
  return event.payload.logentry?.formatted ?? '';
}
