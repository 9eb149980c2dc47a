import {
  Archive,
  Check,
  RotateCcw,
  SignalHigh,
  SignalLow,
  SignalMedium,
  Sparkles,
  TrendingUp,
} from 'lucide-react';

/** By substatus, status or priority of an issue. */
const ICONS = {
  new: Sparkles,
  regressed: RotateCcw,
  escalating: TrendingUp,
  resolved: Check,
  archived_until_escalating: Archive,
  archived_until_condition_met: Archive,
  archived_forever: Archive,
  high: SignalHigh,
  medium: SignalMedium,
  low: SignalLow,
} as const;

type IconName = keyof typeof ICONS;

/** Whether there is an icon for a status or a priority. */
export const hasRowIcon = (name: string): name is IconName => Object.hasOwn(ICONS, name);

/** Of a status or a priority; nothing for one without an icon. */
export function RowIcon({ name, className }: { name: string; className?: string }) {
  if (!hasRowIcon(name)) return null;
  const Icon = ICONS[name];
  return <Icon aria-hidden className={className} />;
}
