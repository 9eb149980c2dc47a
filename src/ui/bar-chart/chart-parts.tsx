import type { ReactNode } from 'react';
import { cx } from '../cx.ts';
import { formatCount, formatExact } from '../format-number.ts';
import { formatPoint } from '../format-time.ts';
import { timeTicks } from '../time-ticks.ts';
import type { ChartMark, ChartSeries } from './chart-series.ts';

/** The labels of the value axis: top, middle (when it is a whole number) and zero. */
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

/** The time axis below the plot (fewer ticks on phones), and the caption. */
export function ChartFoot({
  fromMs,
  toMs,
  timeZone,
  ticksMax,
  hasWideAxis = false,
  children,
}: {
  fromMs: number;
  toMs: number;
  timeZone: string;
  ticksMax: number;
  /** Of values with units. */
  hasWideAxis?: boolean;
  /** What the plot shows, in a few words. */
  children: ReactNode;
}) {
  const { ticks, unit } = timeTicks({ fromMs, toMs }, timeZone, ticksMax);
  const indent = hasWideAxis ? 'ml-16' : 'ml-11';
  return (
    <>
      <div aria-hidden className={cx('relative mt-2 h-4 text-text-faint text-xs', indent)}>
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
      <figcaption
        className={cx('mt-1 flex flex-wrap justify-between gap-x-4 text-text-faint text-xs', indent)}
      >
        <span>{children}</span>
        <span>{timeZone.replaceAll('_', ' ')}</span>
      </figcaption>
    </>
  );
}

const MARKS_SHOWN = 4;

/** The exact values of one bucket. `values` is null where nothing was recorded, which is not zero. */
export function ChartTooltip({
  heading,
  values,
  unit,
  marks,
  hint,
  position,
}: {
  heading: string;
  values: { series: readonly ChartSeries[]; index: number; total: number } | null;
  unit: string;
  marks: readonly ChartMark[];
  hint: string | null;
  /** From 0 to 1, along the chart. */
  position: number;
}) {
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute bottom-full z-10 mb-1.5 w-max max-w-64 rounded-md bg-surface-raised px-2.5 py-1.5 text-xs shadow-float"
      style={tooltipSide(position)}
    >
      <div className="text-text-muted">{heading}</div>
      {values === null ? (
        <div className="text-text-muted">no data</div>
      ) : values.series.length === 1 ? (
        <div className="numbers font-medium">
          {formatExact(values.total)} {unit}
        </div>
      ) : (
        <>
          {values.series
            .filter((each) => (each.values[values.index] ?? 0) > 0)
            .map((each) => (
              <div key={each.label} className="numbers flex items-center gap-1.5">
                <span className="size-2 rounded-xs" style={{ background: each.color }} />
                <span className="flex-1">{each.label}</span>
                <span className="font-medium">{formatExact(each.values[values.index] ?? 0)}</span>
              </div>
            ))}
          {values.total === 0 ? <div className="numbers font-medium">0 {unit}</div> : null}
        </>
      )}
      {marks.slice(0, MARKS_SHOWN).map((mark) => (
        <div key={`${mark.atMs} ${mark.label}`} className="flex items-center gap-1.5">
          <MarkShape />
          <bdi className="truncate">{mark.label}</bdi>
        </div>
      ))}
      {marks.length > MARKS_SHOWN ? (
        <div className="text-text-muted">and {marks.length - MARKS_SHOWN} more</div>
      ) : null}
      {hint ? <div className="text-text-faint">{hint}</div> : null}
    </div>
  );
}

/** The diamond that stands for a release or another mark. */
export function MarkShape() {
  return (
    <svg viewBox="0 0 8 8" aria-hidden="true" className="size-2 shrink-0 text-accent">
      <path d="M4 0 8 4 4 8 0 4z" fill="currentColor" />
    </svg>
  );
}

/** Keeps the tooltip within the chart: it hangs left of bars in the right half. */
function tooltipSide(position: number): { left?: string; right?: string } {
  return position < 0.5
    ? { left: `${position * 100}%` }
    : { right: `${Math.max(0, (1 - position) * 100 - 2)}%` };
}

/** The part of a chart that was selected; nothing where it lies outside. */
export function SelectedBand({
  selected,
  fromMs,
  toMs,
}: {
  selected: { fromMs: number; toMs: number } | undefined;
  fromMs: number;
  toMs: number;
}) {
  if (!selected) return null;
  const shareOf = (ms: number) => Math.min(1, Math.max(0, (ms - fromMs) / (toMs - fromMs)));
  const [left, right] = [shareOf(selected.fromMs), shareOf(selected.toMs)];
  if (left >= right) return null;
  return (
    <div
      aria-hidden
      className="absolute inset-y-0 border-accent-line border-x bg-accent-soft"
      style={{ left: `${left * 100}%`, width: `${(right - left) * 100}%` }}
    />
  );
}
