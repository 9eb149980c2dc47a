import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CircleX,
  LoaderCircle,
  type LucideIcon,
  TimerOff,
} from 'lucide-react';
import type { MonitorRank } from '#product/monitors/monitor.ts';
import type { CheckInStatus } from '#product/monitors/monitor-stats.ts';
import { Badge, type Tone } from '#ui/badge.tsx';

/** How a check-in is called and shown; in the order in which one bar hides another. */
export const CHECK_IN_STATUSES = {
  error: { label: 'Failed', tone: 'danger', Icon: CircleX, color: 'var(--color-danger)' },
  timeout: { label: 'Timed out', tone: 'danger', Icon: TimerOff, color: 'var(--color-chart-5)' },
  missed: { label: 'Missed', tone: 'warning', Icon: CircleAlert, color: 'var(--color-level-warning)' },
  unknown: { label: 'Unknown', tone: 'neutral', Icon: CircleHelp, color: 'var(--color-text-faint)' },
  in_progress: { label: 'In progress', tone: 'info', Icon: LoaderCircle, color: 'var(--color-info)' },
  ok: { label: 'OK', tone: 'success', Icon: CircleCheck, color: 'var(--color-success)' },
} as const satisfies Record<CheckInStatus, { label: string; tone: Tone; Icon: LucideIcon; color: string }>;

export function CheckInBadge({ status }: { status: CheckInStatus }) {
  const { label, tone, Icon } = CHECK_IN_STATUSES[status];
  return (
    <Badge
      tone={tone}
      icon={<Icon aria-hidden />}
      title={status === 'unknown' ? 'Check-ins could not be received at that time' : undefined}
    >
      {label}
    </Badge>
  );
}

const RANKS: Readonly<Record<MonitorRank, { label: string; tone: Tone; Icon: LucideIcon; title?: string }>> =
  {
    failing: { label: 'Failing', tone: 'danger', Icon: CircleX },
    failed: {
      label: 'Last run failed',
      tone: 'warning',
      Icon: CircleAlert,
      title: 'Fewer failures in a row than make an issue',
    },
    misconfigured: { label: 'Schedule not readable', tone: 'warning', Icon: CircleAlert },
    ok: { label: 'OK', tone: 'success', Icon: CircleCheck },
    waiting: { label: 'Waiting for the first check-in', tone: 'neutral', Icon: CircleDashed },
    unscheduled: {
      label: 'No schedule',
      tone: 'neutral',
      Icon: CircleHelp,
      title: 'Without a schedule, no run can be missed',
    },
    muted: { label: 'Muted', tone: 'neutral', Icon: CircleDashed },
    disabled: { label: 'Disabled', tone: 'neutral', Icon: CircleDashed },
  };

/** How a monitor stands, over all of its environments. */
export function MonitorBadge({ rank }: { rank: MonitorRank }) {
  const { label, tone, Icon, title } = RANKS[rank];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />} title={title}>
      {label}
    </Badge>
  );
}
