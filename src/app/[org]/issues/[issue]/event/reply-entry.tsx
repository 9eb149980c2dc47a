import { DeliveryResult } from '#app/[org]/delivery-result.tsx';
import type { Activity } from '#domain/issues/issue.ts';
import type { ReplyDelivery } from '#product/deliveries/delivery.ts';

/** An answer that was emailed to the sender of a feedback, and whether it arrived. */
export function ReplyEntry({ reply: { data }, now }: { reply: Activity; now: number }) {
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
        <p className="mt-1">
          <DeliveryResult delivery={delivery} now={now} />
        </p>
      ) : null}
    </>
  );
}
