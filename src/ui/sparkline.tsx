import { barsPath } from './bar-chart/chart-series.ts';
import { cx } from './cx.ts';

/** Small bars, drawn as one path. `max` gives several charts the same scale; by default the largest value. */
export function Sparkline({
  values,
  max,
  label,
  className,
}: {
  values: readonly number[];
  max?: number;
  /** What it shows, in words. */
  label: string;
  className?: string;
}) {
  const width = Math.max(1, values.length) * 4;
  return (
    <svg
      viewBox={`0 0 ${width} 24`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      className={cx('block h-6 w-full text-chart', className)}
    >
      <path d={`M0 23.5H${width}`} stroke="var(--color-border)" vectorEffect="non-scaling-stroke" />
      <path d={barsPath(values, { height: 24, barWidth: 3, gap: 1, max })} fill="currentColor" />
    </svg>
  );
}
