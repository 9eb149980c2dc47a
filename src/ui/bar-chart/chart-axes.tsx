import { cx } from '../cx.ts';
import { formatCount } from '../format-number.ts';
import { formatPoint } from '../format-time.ts';
import type { TimeTicks } from '../time-ticks.ts';

/** What stands beside the plot: its top, its middle where that is a whole number, and zero. */
export function ValueAxis({ top, height }: { top: number; height: number }) {
  return (
    <div
      aria-hidden
      className="numbers relative w-9 shrink-0 text-right text-text-faint text-xs"
      style={{ height }}
    >
      <span className="absolute -top-1.5 right-0">{formatCount(top)}</span>
      {top >= 4 && top % 2 === 0 ? (
        <span className="absolute top-1/2 right-0 -translate-y-1/2">{formatCount(top / 2)}</span>
      ) : null}
      <span className="absolute right-0 -bottom-2">0</span>
    </div>
  );
}

/** Few round times under the plot, half of them on phones. */
export function TimeAxis({
  ticks: { ticks, unit },
  fromMs,
  toMs,
  timeZone,
}: {
  ticks: TimeTicks;
  fromMs: number;
  toMs: number;
  timeZone: string;
}) {
  return (
    <div aria-hidden className="relative mt-2 ml-11 h-4 text-text-faint text-xs">
      {ticks.map((tick, index) => (
        <span
          key={tick}
          className={cx('absolute -translate-x-1/2 whitespace-nowrap', index % 2 === 1 && 'max-sm:hidden')}
          style={{ left: `${Math.min(97, Math.max(3, ((tick - fromMs) / (toMs - fromMs)) * 100))}%` }}
        >
          {formatPoint(tick, timeZone, unit)}
        </span>
      ))}
    </div>
  );
}
