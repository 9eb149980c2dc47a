import { type Mailer, NO_MAIL_SERVER } from '#delivery/ports/mailer.ts';
import { FEEDBACK_REPLIES_PER_HOUR_MAX } from '#domain/alerts/delivery-budgets.ts';
import type { Activity, Issue } from '#domain/issues/issue.ts';
import { ErrataError, invalid } from '#lib/errors.ts';
import { HOUR_MS } from '#lib/time.ts';
import { actingUserId } from '#product/acting-user.ts';
import { audited, issueTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { issueNotFound } from '#product/issues/get-issue.ts';
import { findIssueEvent } from '#product/issues/issue-events.ts';
import { composeReply } from '#product/messages/compose-reply.ts';
import { requireRight } from '#product/permissions.ts';
import { senderAddress } from './sender-address.ts';

export const REPLY_CHARACTERS_MAX = 10_000;
/** What came as text of a form may hold what no mail does. */
const CONTROLS = /(?![\n\t])\p{Cc}/gu;

/**
 * Emails an answer to whoever sent a feedback, from the line of messages; answers to it go to its author, who follows the
 * issue from then on. Which address it goes to is what the feedback says: nobody else can be written to. Throws Invalid
 * without a text, an address or a mail server, and RateLimited for more than an organization may send in an hour.
 */
export async function replyToFeedback(
  ctx: Context,
  mailer: Pick<Mailer, 'isConfigured'>,
  issue: Issue,
  /** `eventId` null: the newest feedback of the issue. */
  input: { eventId: string | null; text: string },
): Promise<Activity> {
  requireRight(ctx, 'event:write');
  const userId = actingUserId(ctx);
  const text = checkReply(input.text);
  if (!mailer.isConfigured) throw invalid(NO_MAIL_SERVER);
  const event = await findIssueEvent(ctx, issue, input.eventId ?? 'latest');
  const to = event && senderAddress(event.payload);
  if (!event || to === null) {
    throw invalid(
      `${issue.shortId} has no valid email address to reply to: it was not given, or was scrubbed`,
    );
  }
  const author = await ctx.stores.accounts.findUser(userId);
  if (!author) throw new Error(`User ${userId} was expected but not found`);
  const quoted = event.payload.logentry?.formatted ?? '';
  const reply = await audited(
    ctx,
    async (ctx) => {
      const organizationId = ctx.organization.id;
      const added = await ctx.stores.feedbackReplies.add(
        organizationId,
        {
          issueId: issue.id,
          userId,
          data: { text, to, eventId: event.eventId },
          content: composeReply({ shortId: issue.shortId, text, to, quoted, author }),
        },
        roomForReplies(ctx.now()),
        ctx.now(),
      );
      if (added === null) throw issueNotFound(ctx, issue.shortId);
      if (added === 'full') throw tooManyReplies();
      await ctx.stores.issueUserState.subscribe(organizationId, [issue.id], [userId], 'commented');
      return added;
    },
    () => ({ action: 'feedback.reply', target: issueTarget(issue), data: { to } }),
  );
  return reply;
}

/** What an organization may send in an hour. */
export const roomForReplies = (nowMs: number) => ({
  sinceMs: nowMs - HOUR_MS,
  max: FEEDBACK_REPLIES_PER_HOUR_MAX,
});

function checkReply(input: string): string {
  const text = input.replaceAll(/\r\n?/g, '\n').replaceAll(CONTROLS, '').trim();
  if (text === '') throw invalid('The reply is empty: enter some text', 'text');
  if (text.length > REPLY_CHARACTERS_MAX) {
    throw invalid(
      `The reply has ${text.length} characters: shorten it to at most ${REPLY_CHARACTERS_MAX}`,
      'text',
    );
  }
  return text.toWellFormed();
}

export const tooManyReplies = () =>
  new ErrataError(
    'rate_limited',
    `This organization has sent ${FEEDBACK_REPLIES_PER_HOUR_MAX} replies within an hour: try again later`,
    { retryAfterSeconds: 600 },
  );
