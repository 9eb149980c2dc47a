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

const idOf = (name: string) => `row-icon-${name}`;

/** The icons that `RowIcon` refers to, once for all rows. */
export function RowIcons({ names }: { names: readonly string[] }) {
  return (
    <svg aria-hidden className="absolute size-0">
      <defs>
        {[...new Set(names)].filter(hasRowIcon).map((name) => {
          const Icon = ICONS[name];
          // A unit of the drawing is a pixel here.
          return <Icon key={name} id={idOf(name)} className="size-[24px]" />;
        })}
      </defs>
    </svg>
  );
}

/** Whether there is an icon for a status or a priority. */
export const hasRowIcon = (name: string): name is IconName => Object.hasOwn(ICONS, name);

/** An icon in the color and size of the row; 24 units wide. */
export function RowIcon({ name, className = 'lucide' }: { name: string; className?: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden className={className}>
      <use href={`#${idOf(name)}`} />
    </svg>
  );
}
