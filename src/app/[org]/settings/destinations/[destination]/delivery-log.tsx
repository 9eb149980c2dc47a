import { DeliveryResult } from '#app/[org]/alerts/delivery-result.tsx';
import { visibleText } from '#lib/visible-text.ts';
import type { DeliveryRow } from '#product/deliveries/deliveries.ts';
import type { DeliveryKind } from '#product/deliveries/delivery.ts';
import { formatPlural } from '#ui/format-number.ts';
import { RelativeTime } from '#ui/relative-time.tsx';

/** Messages, newest first: what each said, and what became of it. */
export function DeliveryLog({ deliveries, now }: { deliveries: readonly DeliveryRow[]; now: number }) {
  return (
    <ul aria-label="Messages" className="divide-y">
      {deliveries.map((delivery) => (
        <li key={delivery.id} className="grid gap-x-6 gap-y-1 px-4 py-2.5 md:grid-cols-[minmax(0,1fr)_18rem]">
          <div className="min-w-0">
            <p className="break-anything text-sm">
              <bdi>{visibleText(delivery.summary ?? KIND_WORDS[delivery.kind])}</bdi>
            </p>
            <p className="break-anything text-text-faint text-xs">
              <RelativeTime at={delivery.createdAt} now={now} />
              {delivery.firingsTotal > 1 ? `, ${formatPlural(delivery.firingsTotal, 'firing')}` : null}
              {' · '}
              <span className="mono">{delivery.id}</span>
            </p>
          </div>
          <DeliveryResult delivery={delivery} now={now} />
        </li>
      ))}
    </ul>
  );
}

const KIND_WORDS: Readonly<Record<DeliveryKind, string>> = {
  alert: 'An alert',
  closing: 'The end of incidents',
  activity: 'What happened to issues',
  report: 'The week',
  test: 'A test',
};
