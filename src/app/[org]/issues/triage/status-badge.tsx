'use client';

import { Archive, Check, RotateCcw, Sparkles, TrendingUp } from 'lucide-react';
import type { ReactNode } from 'react';
import type { StatusState } from '#domain/issues/issue.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import { useTimeZone } from '#ui/relative-time.tsx';
import { statusLabel } from './status-labels.ts';

type StatusProps = Pick<StatusState, 'status' | 'substatus' | 'resolution' | 'archive'>;

/** Where an issue stands: `Archived until 100 more events`. */
export function StatusBadge({ state }: { state: StatusProps }) {
  const timeZone = useTimeZone();
  const { icon, tone } = APPEARANCE[state.substatus ?? state.status] ?? APPEARANCE.ongoing!;
  const words = statusLabel(state, timeZone);
  return (
    <Badge tone={tone} icon={icon} title={words}>
      {words}
    </Badge>
  );
}

const ARCHIVED = { icon: <Archive aria-hidden />, tone: 'neutral' } as const;

const APPEARANCE: Readonly<Record<string, { icon: ReactNode; tone: Tone } | undefined>> = {
  new: { icon: <Sparkles aria-hidden />, tone: 'info' },
  ongoing: { icon: null, tone: 'neutral' },
  regressed: { icon: <RotateCcw aria-hidden />, tone: 'warning' },
  escalating: { icon: <TrendingUp aria-hidden />, tone: 'danger' },
  resolved: { icon: <Check aria-hidden />, tone: 'success' },
  archived_until_escalating: ARCHIVED,
  archived_until_condition_met: ARCHIVED,
  archived_forever: ARCHIVED,
};
