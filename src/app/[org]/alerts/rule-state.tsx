import { BellOff, CircleAlert, CircleCheck, CircleHelp, Moon, TriangleAlert } from 'lucide-react';
import type { AlertRule } from '#domain/alerts/alert-rule.ts';
import { Badge } from '#ui/badge.tsx';
import { STATE_LABELS } from './alert-labels.ts';

/** Whether the rule looks at all, and what a metric is now. */
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

/** When a snooze ends, exactly. */
export const snoozeLabel = (untilMs: number): string =>
  untilMs === Number.POSITIVE_INFINITY
    ? 'Until someone unsnoozes it'
    : `Until ${new Date(untilMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
