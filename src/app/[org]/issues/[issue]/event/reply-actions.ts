'use server';

import { replyToFeedback } from '#product/feedback/reply-to-feedback.ts';
import { resendReply } from '#product/feedback/resend-reply.ts';
import { getServices } from '#product/services.ts';
import { type ActionResult, changeIssue, type IssuePlace } from '../people/on-issue.ts';

export async function replyToFeedbackAction(
  place: IssuePlace,
  eventId: string,
  text: string,
): Promise<ActionResult> {
  return changeIssue(place, (ctx, issue) =>
    replyToFeedback(ctx, getServices().mailer, issue, { eventId, text }),
  );
}

export async function resendReplyAction(place: IssuePlace, replyId: number): Promise<ActionResult> {
  return changeIssue(place, (ctx, issue) => resendReply(ctx, getServices().mailer, issue, { replyId }));
}
