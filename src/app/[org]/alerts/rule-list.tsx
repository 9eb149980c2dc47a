import { BellOff, CircleAlert, CircleCheck, CircleHelp, Moon, TriangleAlert } from 'lucide-react';
import { DeliveryBadge, routeName } from '#app/[org]/delivery-health.tsx';
import type { AlertRule } from '#domain/alerts/alert-rule.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { RuleDelivery } from '#product/alerts/delivery-health.ts';
import { describeReceiver } from '#product/alerts/describe-receiver.ts';
import type { AlertReceivers, AlertRuleRow } from '#product/alerts/list-alert-rules.ts';
import { Badge } from '#ui/badge.tsx';
import { formatExact } from '#ui/format-number.ts';
import { formatDateTime } from '#ui/format-time.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { ruleSentence, STATE_LABELS } from './alert-labels.ts';

/** Rules with their condition, state and last trigger. */
export function RuleList({
  organizationSlug,
  rows,
  known,
  deliveries,
  showsProject,
  now,
}: {
  organizationSlug: string;
  rows: readonly AlertRuleRow[];
  known: AlertReceivers;
  /** By the ID of the rule. */
  deliveries: ReadonlyMap<number, RuleDelivery>;
  showsProject: boolean;
  now: number;
}) {
  return (
    <ul aria-label="Alert rules" className="divide-y">
      {rows.map(({ rule, project }) => (
        <li
          key={rule.id}
          className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-4 py-3 transition-colors hover:bg-surface-hover"
        >
          <div className="min-w-0 flex-1 basis-72">
            <p className="break-anything">
              <Link
                href={`/${organizationSlug}/alerts/${rule.id}`}
                className="font-medium text-sm text-text no-underline hover:underline"
              >
                <bdi>{visibleText(rule.name)}</bdi>
              </Link>
            </p>
            <p className="break-anything mt-0.5 text-text-muted text-xs">
              {visibleText(ruleSentence(rule, (who) => describeReceiver(known, who)))}
            </p>
            <p className="break-anything mt-0.5 text-text-faint text-xs">
              {showsProject ? <bdi>{project.name}</bdi> : null}
              {showsProject ? ' · ' : null}
              {visibleText(
                notifiesLabel(rule.definition.receivers.map((receiver) => describeReceiver(known, receiver))),
              )}
              {rule.owner ? ` · Owner: ${visibleText(describeReceiver(known, rule.owner))}` : null}
            </p>
          </div>
          <div className="flex min-w-0 max-w-full flex-wrap items-center gap-x-4 gap-y-1">
            <span className="flex flex-wrap gap-x-4 gap-y-1 text-text-muted text-xs lg:w-44 lg:flex-col">
              <span>
                {rule.lastFiredAt === null ? (
                  'Never triggered'
                ) : (
                  <>
                    Last triggered <RelativeTime at={rule.lastFiredAt} now={now} />
                  </>
                )}
              </span>
              <Undelivered
                href={`/${organizationSlug}/alerts/${rule.id}`}
                count={deliveries.get(rule.id)?.undelivered ?? 0}
              />
            </span>
            <span className="flex min-w-0 max-w-full lg:w-56">
              <WorstDelivery delivery={deliveries.get(rule.id)} known={known} now={now} />
            </span>
            <span className="flex sm:w-28 sm:justify-end">
              <RuleState rule={rule} now={now} />
            </span>
          </div>
        </li>
      ))}
    </ul>
  );
}

const NAMES_SHOWN = 3;

/** `Notifies Team ops, Ana and 2 more`. */
function notifiesLabel(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN);
  const rest = names.length - shown.length;
  return `Notifies ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** How many alerts of the rule were not delivered. */
const Undelivered = ({ href, count }: { href: string; count: number }) =>
  count === 0 ? null : (
    <Link
      href={`${href}?delivery=failed#history`}
      title="In the last 24 hours"
      className="text-danger underline underline-offset-2"
    >
      {formatExact(count)} not delivered
    </Link>
  );

/** The worst of how the rule notifies. */
function WorstDelivery({
  delivery,
  known,
  now,
}: {
  delivery: RuleDelivery | undefined;
  known: AlertReceivers;
  now: number;
}) {
  const worst = delivery?.routes[0];
  return worst ? (
    <DeliveryBadge health={worst.health} name={routeName(known, worst.route)} now={now} />
  ) : null;
}

/** Whether the rule is active, and the current state of a metric rule. */
export function RuleState({ rule, now }: { rule: AlertRule; now: number }) {
  const { isEnabled, snoozedUntil, definition, metric } = rule;
  if (!isEnabled) return <Badge icon={<BellOff aria-hidden />}>Disabled</Badge>;
  if (snoozedUntil !== null && snoozedUntil > now) {
    return (
      <Badge tone="info" icon={<Moon aria-hidden />} title={snoozeLabel(snoozedUntil)}>
        Snoozed
      </Badge>
    );
  }
  if (definition.kind === 'issue') return <Badge tone="success">Enabled</Badge>;
  if (metric === null) return <Badge title="Evaluated once a minute">Not evaluated yet</Badge>;
  if (metric.problem !== null) {
    return (
      <Badge tone="warning" icon={<CircleHelp aria-hidden />} title={metric.problem}>
        Can’t be evaluated
      </Badge>
    );
  }
  const { tone, Icon } = METRIC_APPEARANCE[metric.state];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />}>
      {STATE_LABELS[metric.state]}
    </Badge>
  );
}

const METRIC_APPEARANCE = {
  ok: { tone: 'success', Icon: CircleCheck },
  warning: { tone: 'warning', Icon: TriangleAlert },
  critical: { tone: 'danger', Icon: CircleAlert },
} as const;

const snoozeLabel = (untilMs: number): string =>
  untilMs === Number.POSITIVE_INFINITY
    ? 'Until someone unsnoozes it'
    : `Until ${formatDateTime(untilMs, 'UTC')}`;
