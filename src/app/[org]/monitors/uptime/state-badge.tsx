import { CircleCheck, CircleDashed, CirclePause, TriangleAlert } from 'lucide-react';
import type { UptimeState } from '#domain/uptime/monitor.ts';
import { Badge, type Tone } from '#ui/badge.tsx';

/** How a monitor is, with a shape as well as a color. */
export function StateBadge({ state }: { state: UptimeState | 'paused' }) {
  const { label, tone, icon } = LOOKS[state];
  return (
    <Badge tone={tone} icon={icon}>
      {label}
    </Badge>
  );
}

const LOOKS: Readonly<Record<UptimeState | 'paused', { label: string; tone: Tone; icon: React.ReactNode }>> =
  {
    up: { label: 'Up', tone: 'success', icon: <CircleCheck aria-hidden className="size-3" /> },
    down: { label: 'Down', tone: 'danger', icon: <TriangleAlert aria-hidden className="size-3" /> },
    new: {
      label: 'Waiting for the first check',
      tone: 'neutral',
      icon: <CircleDashed aria-hidden className="size-3" />,
    },
    paused: { label: 'Disabled', tone: 'neutral', icon: <CirclePause aria-hidden className="size-3" /> },
  };
