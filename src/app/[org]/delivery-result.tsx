import { Ban, CircleCheck, CircleX, Clock, Hourglass } from 'lucide-react';
import type { Delivery, DeliveryState } from '#product/deliveries/delivery.ts';
import { formatPlural } from '#ui/format-number.ts';
import { RelativeTime } from '#ui/relative-time.tsx';

/** What became of a message: sent, on its way, waiting for its turn, failed with the reason, or dropped. */
export function DeliveryResult({
  delivery,
  now,
}: {
  delivery: Pick<Delivery, 'state' | 'dueAt' | 'doneAt' | 'attempts' | 'lastError'>;
  now: number;
}) {
  const { doneAt, lastError } = delivery;
  const { look, words } = deliveryLabel(delivery, now);
  const { Icon, tone } = APPEARANCE[look];
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

const APPEARANCE: Readonly<Record<DeliveryAppearance, { Icon: typeof Clock; tone: string }>> = {
  open: { Icon: Hourglass, tone: 'text-text-muted' },
  sealed: { Icon: Clock, tone: 'text-text-muted' },
  retry: { Icon: Clock, tone: 'text-warning' },
  sent: { Icon: CircleCheck, tone: 'text-success' },
  failed: { Icon: CircleX, tone: 'text-danger' },
  dropped: { Icon: Ban, tone: 'text-text-muted' },
};

/** How a message stands: `retry` is one that failed and is tried again. */
type DeliveryAppearance = DeliveryState | 'retry';

/** What became of a message. The reason of a failure, and when it ended, follow it. */
export function deliveryLabel(
  { state, dueAt, attempts, lastError }: Pick<Delivery, 'state' | 'dueAt' | 'attempts' | 'lastError'>,
  nowMs: number,
): { look: DeliveryAppearance; words: string } {
  if (state === 'open') {
    return {
      look: state,
      words: dueAt > nowMs ? `queued, sends ${untilLabel(dueAt, nowMs)}` : 'queued',
    };
  }
  if (state !== 'sealed') return { look: state, words: state };
  if (lastError === null) return { look: state, words: 'sending' };
  // A try counts from its beginning.
  return dueAt > nowMs
    ? {
        look: 'retry',
        words: `failed ${formatPlural(attempts, 'time')}, next attempt ${untilLabel(dueAt, nowMs)}`,
      }
    : {
        look: 'retry',
        words: `failed ${formatPlural(Math.max(1, attempts - 1), 'time')}, retrying`,
      };
}

/** `in 45 s`, `in 3 minutes`. */
function untilLabel(atMs: number, nowMs: number): string {
  const seconds = Math.ceil((atMs - nowMs) / 1_000);
  if (seconds < 60) return `in ${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60
    ? `in ${formatPlural(minutes, 'minute')}`
    : `in ${formatPlural(Math.ceil(minutes / 60), 'hour')}`;
}
