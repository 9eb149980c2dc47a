import { Ban, CircleCheck, CircleX, Clock, Hourglass } from 'lucide-react';
import type { Delivery } from '#storage/ports/deliveries.ts';
import { RelativeTime } from '#ui/relative-time.tsx';
import { type DeliveryLook, deliveryWords } from './delivery-words.ts';

/** What became of a message: sent, on its way, waiting for its turn, failed with the reason, or dropped. */
export function DeliveryResult({
  delivery,
  now,
}: {
  delivery: Pick<Delivery, 'state' | 'dueAt' | 'doneAt' | 'attempts' | 'lastError'>;
  now: number;
}) {
  const { doneAt, lastError } = delivery;
  const { look, words } = deliveryWords(delivery, now);
  const { Icon, tone } = LOOKS[look];
  return (
    <span className="inline-flex min-w-0 items-start gap-1.5 text-xs">
      <Icon aria-hidden className={`mt-px size-3.5 shrink-0 ${tone}`} />
      <span className="break-anything min-w-0">
        {words}
        {doneAt === null ? null : (
          <>
            {' '}
            <RelativeTime at={doneAt} now={now} />
          </>
        )}
        {lastError !== null && look !== 'sent' ? <>: {lastError}</> : null}
      </span>
    </span>
  );
}

const LOOKS: Readonly<Record<DeliveryLook, { Icon: typeof Clock; tone: string }>> = {
  open: { Icon: Hourglass, tone: 'text-text-muted' },
  sealed: { Icon: Clock, tone: 'text-text-muted' },
  retry: { Icon: Clock, tone: 'text-warning' },
  sent: { Icon: CircleCheck, tone: 'text-success' },
  failed: { Icon: CircleX, tone: 'text-danger' },
  dropped: { Icon: Ban, tone: 'text-text-muted' },
};
