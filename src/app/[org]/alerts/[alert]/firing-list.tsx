import { Bell, CircleAlert, CircleCheck, Sparkles, TrendingUp, TriangleAlert, Undo2 } from 'lucide-react';
import { DeliveryResult } from '#app/[org]/delivery-result.tsx';
import type { FiringCause } from '#domain/alerts/alert-rule.ts';
import type { Receiver } from '#domain/alerts/who-is-notified.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { AlertFiringRow } from '#product/alerts/alert-firings.ts';
import { describeReceiver } from '#product/alerts/describe-receiver.ts';
import type { AlertReceivers } from '#product/alerts/list-alert-rules.ts';
import { describeChange, type MeasuredAs, withUnit } from '#product/measures/describe-measure.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { CAUSE_LABELS } from '../alert-labels.ts';

/** When a rule triggered, newest first, and who was notified. */
export function FiringList({
  organizationSlug,
  rows,
  metric,
  known,
  now,
}: {
  organizationSlug: string;
  rows: readonly AlertFiringRow[];
  /** Of a metric rule; null otherwise. */
  metric: MeasuredAs | null;
  known: AlertReceivers;
  now: number;
}) {
  return (
    <ul aria-label="History" className="divide-y">
      {rows.map(({ firing, issue, deliveries }) => {
        const { tone, Icon } = CAUSE_APPEARANCE[firing.cause];
        return (
          <li key={firing.id} className="flex flex-col gap-1.5 px-4 py-3">
            <div className="flex flex-wrap items-center gap-x-2.5 gap-y-0.5">
              <Badge tone={tone} icon={<Icon aria-hidden />}>
                {CAUSE_LABELS[firing.cause]}
              </Badge>
              <div className="min-w-0 flex-1 basis-52 text-sm">
                {issue ? (
                  <Link
                    href={
                      firing.eventId === null
                        ? `/${organizationSlug}/issues/${issue.shortId}`
                        : `/${organizationSlug}/issues/${issue.shortId}/events/${firing.eventId}`
                    }
                    className="block truncate text-text no-underline hover:underline"
                  >
                    <span className="mono text-text-muted text-xs">{issue.shortId}</span>{' '}
                    <bdi>{visibleText(issue.title)}</bdi>
                  </Link>
                ) : metric !== null && firing.value !== null ? (
                  <span className="numbers">
                    {withUnit(firing.value, metric)}
                    <Change firing={firing} metric={metric} />
                  </span>
                ) : (
                  <span className="text-text-muted">{metric === null ? 'Deleted issue' : 'No value'}</span>
                )}
              </div>
              <RelativeTime at={firing.firedAt} now={now} className="shrink-0 text-text-muted text-xs" />
            </div>
            <Recipients known={known} deliveries={deliveries} withheld={firing.withheld} now={now} />
          </li>
        );
      })}
    </ul>
  );
}

function Change({ firing, metric }: { firing: AlertFiringRow['firing']; metric: MeasuredAs }) {
  const words = describeChange(firing, metric);
  return words && <span className="text-text-muted"> · {words}</span>;
}

function Recipients({
  known,
  deliveries,
  withheld,
  now,
}: {
  known: AlertReceivers;
  deliveries: AlertFiringRow['deliveries'];
  withheld: AlertFiringRow['firing']['withheld'];
  now: number;
}) {
  if (deliveries.length + withheld.length === 0) {
    return <p className="text-text-muted text-xs">No one was notified</p>;
  }
  const named = deliveries
    .map((delivery) => ({ delivery, name: delivery.userName ?? describeReceiver(known, delivery.receiver) }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
  return (
    <ul aria-label="Notified" className="flex min-w-0 flex-col gap-1">
      {named.map(({ delivery, name }) => (
        <li key={delivery.id} className="flex min-w-0 items-start gap-2 text-xs">
          <bdi className="break-anything max-w-[45%] shrink-0 font-medium">{visibleText(name)}</bdi>
          <DeliveryResult delivery={delivery} now={now} />
        </li>
      ))}
      {withheld.map(({ receiver, toldAt }) => (
        <li key={keyOf(receiver)} className="flex min-w-0 items-start gap-2 text-text-muted text-xs">
          <bdi className="break-anything max-w-[45%] shrink-0 font-medium">
            {visibleText(describeReceiver(known, receiver))}
          </bdi>
          <span>
            not notified again: last notified about this issue <RelativeTime at={toldAt} now={now} />
          </span>
        </li>
      ))}
    </ul>
  );
}

const keyOf = (receiver: Receiver): string =>
  receiver.kind === 'user' ? `user ${receiver.userId}` : `destination ${receiver.destinationId}`;

const CAUSE_APPEARANCE: Readonly<Record<FiringCause, { tone: Tone; Icon: typeof Bell }>> = {
  first_seen: { tone: 'info', Icon: Sparkles },
  regression: { tone: 'warning', Icon: Undo2 },
  escalation: { tone: 'warning', Icon: TrendingUp },
  event: { tone: 'neutral', Icon: Bell },
  ok: { tone: 'success', Icon: CircleCheck },
  warning: { tone: 'warning', Icon: TriangleAlert },
  critical: { tone: 'danger', Icon: CircleAlert },
};
