import { SignalHigh, SignalLow, SignalMedium } from 'lucide-react';
import type { ReactNode } from 'react';
import type { IssuePriority } from '#domain/issues/issue.ts';

export const PRIORITY_LABELS: Readonly<Record<IssuePriority, string>> = {
  high: 'High',
  medium: 'Medium',
  low: 'Low',
};

const ICONS: Readonly<Record<IssuePriority, ReactNode>> = {
  high: <SignalHigh aria-hidden className="size-4" />,
  medium: <SignalMedium aria-hidden className="size-4" />,
  low: <SignalLow aria-hidden className="size-4" />,
};

export const PriorityIcon = ({ priority }: { priority: IssuePriority }) => ICONS[priority];
