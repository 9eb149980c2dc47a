'use client';

import { Archive, Check, RotateCcw, Sparkles, TrendingUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { shortenHashes } from '#lib/shorten-hashes.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import { useTimeZone } from '#ui/relative-time.tsx';
import { type ShownStatus, statusLabel } from './status-labels.ts';

/** The status of an issue: `Archived until 100 more events`. */
export function StatusBadge({ state }: { state: ShownStatus }) {
  const timeZone = useTimeZone();
  const { icon, tone } = STATUS_APPEARANCE[state.substatus ?? state.status] ?? STATUS_APPEARANCE.ongoing!;
  const label = statusLabel(state, timeZone);
  return (
    <Badge tone={tone} icon={icon} title={label}>
      {shortenHashes(label)}
    </Badge>
  );
}

const ARCHIVED = { icon: <Archive aria-hidden />, tone: 'neutral' } as const;

/** By substatus, else by status. */
export const STATUS_APPEARANCE: Readonly<Record<string, { icon: ReactNode; tone: Tone } | undefined>> = {
  new: { icon: <Sparkles aria-hidden />, tone: 'info' },
  ongoing: { icon: null, tone: 'neutral' },
  regressed: { icon: <RotateCcw aria-hidden />, tone: 'warning' },
  escalating: { icon: <TrendingUp aria-hidden />, tone: 'danger' },
  resolved: { icon: <Check aria-hidden />, tone: 'success' },
  archived_until_escalating: ARCHIVED,
  archived_until_condition_met: ARCHIVED,
  archived_forever: ARCHIVED,
};
