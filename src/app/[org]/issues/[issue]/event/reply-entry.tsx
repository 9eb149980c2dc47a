import { DeliveryResult } from '#app/[org]/delivery-result.tsx';
import type { Activity } from '#domain/issues/issue.ts';
import type { ReplyDelivery } from '#product/deliveries/delivery.ts';
import type { IssuePlace } from '../people/on-issue.ts';
import { ResendReply } from './resend-reply.tsx';

/** An answer that was emailed to the sender of a feedback, and whether it arrived; one that failed can be sent again. */
export function ReplyEntry({
  place,
  reply: { id, user, data },
  canResend,
  now,
}: {
  place: IssuePlace;
  reply: Activity;
  canResend: boolean;
  now: number;
}) {
  // What the store of activities writes beside the text; absent when its author's account is deleted.
  const delivery = data.delivery as ReplyDelivery | undefined;
  return (
    <>
      {' to '}
      <bdi>{String(data.to)}</bdi>
      <p className="mt-1 whitespace-pre-wrap rounded-md bg-surface-pressed px-2.5 py-1.5 text-text">
        <bdi>{String(data.text)}</bdi>
      </p>
      {delivery ? (
        <div className="mt-1 flex flex-wrap items-center gap-2">
          <DeliveryResult delivery={delivery} now={now} />
          {delivery.state === 'failed' && canResend && user ? (
            <ResendReply place={place} replyId={id} />
          ) : null}
        </div>
      ) : null}
    </>
  );
}
