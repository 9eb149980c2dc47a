'use client';

import { useId } from 'react';
import { ChartFoot, ChartTooltip, MarkShape, SelectedBand, ValueAxis } from './bar-chart/chart-parts.tsx';
import {
  BAR_GAP,
  BAR_WIDTH,
  bucketTotals,
  type ChartMark,
  type ChartSeries,
  niceCeiling,
  stackedPath,
} from './bar-chart/chart-series.ts';
import { useBucketSelection } from './bar-chart/use-bucket-selection.ts';
import { formatExact } from './format-number.ts';
import { formatDuration, formatSpan } from './format-time.ts';
import { useTimeZone } from './relative-time.tsx';

export type { ChartMark, ChartSeries } from './bar-chart/chart-series.ts';

const TICKS_MAX = 7;
const MARKS_MAX = 100;

/**
 * Counts over time as bars, several series stacked, with axes in the reader's time zone. Pointing at a bar, or the
 * arrow keys when the chart has the focus, tell the exact values. With `onSelectRange` a drag, or Shift with the arrow
 * keys and Enter, chooses a time.
 */
export function BarChart({
  label,
  series,
  fromMs,
  bucketMs,
  height = 120,
  unit,
  marks = [],
  noDataBeforeMs = 0,
  selected,
  onSelectRange,
}: {
  /** What the bars count, for example `Events per hour`. */
  label: string;
  series: readonly ChartSeries[];
  fromMs: number;
  bucketMs: number;
  /** Of the plot, in pixels. */
  height?: number;
  /** What one counted thing is called in the plural: `events`. */
  unit: string;
  /** What happened in that time, such as releases; the first 100 are shown. */
  marks?: readonly ChartMark[];
  /** Nothing was recorded in buckets that end before: they have no data, which is not zero. */
  noDataBeforeMs?: number;
  /** Half-open, whole buckets. */
  /** A time that stays marked. */
  selected?: { fromMs: number; toMs: number } | undefined;
  onSelectRange?: (range: { fromMs: number; toMs: number }) => void;
}) {
  const timeZone = useTimeZone();
  const hintId = useId();
  const hatchId = useId();
  const count = Math.max(1, ...series.map((each) => each.values.length));
  const startOf = (index: number) => fromMs + index * bucketMs;
  const toMs = startOf(count);
  const { at, active, span, handlers } = useBucketSelection(
    count,
    onSelectRange
      ? ({ first, last }) => onSelectRange({ fromMs: startOf(first), toMs: startOf(last + 1) })
      : null,
  );
  const totals = bucketTotals(series, count);
  const top = niceCeiling(Math.max(...totals));
  const width = count * (BAR_WIDTH + BAR_GAP);
  const shownMarks = marks.filter((mark) => mark.atMs >= fromMs && mark.atMs < toMs).slice(0, MARKS_MAX);
  const unknown = Math.min(count, Math.max(0, Math.floor((noDataBeforeMs - fromMs) / bucketMs)));

  const marksOf = (index: number) =>
    shownMarks.filter((mark) => mark.atMs >= startOf(index) && mark.atMs < startOf(index + 1));
  const spanLabel = (first: number, last: number) => formatSpan(startOf(first), startOf(last + 1), timeZone);
  const describe = (index: number) => {
    const value = index < unknown ? 'no data' : `${formatExact(totals[index] ?? 0)} ${unit}`;
    const chosen = span ? `, selected: ${spanLabel(span.first, span.last)}` : '';
    return (
      [`${spanLabel(index, index)}: ${value}`, ...marksOf(index).map((mark) => mark.label)].join(', ') +
      chosen
    );
  };
  const share = (index: number) => `${(index / count) * 100}%`;
  const lit = span ?? (active === null ? null : { first: active, last: active });

  return (
    <figure className="min-w-0">
      <div className="flex gap-2">
        <ValueAxis top={top} height={height} />
        <div
          role="slider"
          tabIndex={0}
          aria-label={`${label}, ${formatDuration(bucketMs)} per bar`}
          aria-describedby={onSelectRange ? hintId : undefined}
          aria-valuemin={0}
          aria-valuemax={count - 1}
          aria-valuenow={at}
          aria-valuetext={describe(at)}
          className="relative min-w-0 flex-1 cursor-crosshair touch-pan-y select-none rounded-xs"
          style={{ height }}
          {...handlers}
        >
          <div aria-hidden className="absolute inset-x-0 top-0 border-t border-dashed" />
          <div aria-hidden className="absolute inset-x-0 top-1/2 border-t border-dashed" />
          <div aria-hidden className="absolute inset-x-0 bottom-0 border-border-strong border-t" />
          <SelectedBand selected={selected} fromMs={fromMs} toMs={toMs} />
          {lit ? (
            <div
              aria-hidden
              className={
                span
                  ? 'absolute inset-y-0 border-accent-line border-x bg-accent-soft'
                  : 'absolute inset-y-0 bg-surface-pressed'
              }
              style={{ left: share(lit.first), width: share(lit.last - lit.first + 1) }}
            />
          ) : null}
          <svg
            aria-hidden="true"
            viewBox={`0 0 ${width} ${height}`}
            preserveAspectRatio="none"
            className="absolute inset-0 size-full"
          >
            {series.map((each, index) => (
              <path
                key={each.label}
                d={stackedPath(series.slice(0, index), each, { height, top })}
                style={{ fill: each.color }}
              />
            ))}
          </svg>
          {unknown > 0 ? (
            <svg
              aria-hidden="true"
              className="absolute inset-y-0 left-0 h-full text-border-strong"
              style={{ width: share(unknown) }}
            >
              <pattern
                id={hatchId}
                width="6"
                height="6"
                patternUnits="userSpaceOnUse"
                patternTransform="rotate(45)"
              >
                <path d="M0 0V6" stroke="currentColor" />
              </pattern>
              <rect width="100%" height="100%" fill={`url(#${hatchId})`} />
            </svg>
          ) : null}
          {shownMarks.map((mark) => (
            <span
              key={`${mark.atMs} ${mark.label}`}
              aria-hidden
              className="-translate-x-1/2 pointer-events-none absolute -top-1 bottom-0 flex w-2 flex-col items-center"
              style={{ left: `${((mark.atMs - fromMs) / (toMs - fromMs)) * 100}%` }}
            >
              <MarkShape />
              <span className="flex-1 border-accent-line border-l border-dashed" />
            </span>
          ))}
          {active !== null ? (
            <ChartTooltip
              heading={span ? spanLabel(span.first, span.last) : spanLabel(active, active)}
              values={active < unknown ? null : tooltipValues(series, totals, span, active)}
              unit={unit}
              marks={span ? [] : marksOf(active)}
              hint={onSelectRange && !span ? 'Drag to select a time range' : null}
              position={active / count}
            />
          ) : null}
        </div>
      </div>
      <ChartFoot fromMs={fromMs} toMs={toMs} timeZone={timeZone} ticksMax={TICKS_MAX}>
        {label}, {formatDuration(bucketMs)} per bar
        {unknown > 0 ? '; hatched: no data' : null}
      </ChartFoot>
      {onSelectRange ? (
        <span id={hintId} className="sr-only">
          Use Shift and the arrow keys to select a time range, and Enter to apply it.
        </span>
      ) : null}
    </figure>
  );
}

/** The values of the bucket, or the sums of the span that is being chosen. */
function tooltipValues(
  series: readonly ChartSeries[],
  totals: readonly number[],
  span: { first: number; last: number } | null,
  active: number,
): { series: readonly ChartSeries[]; index: number; total: number } {
  if (!span) return { series, index: active, total: totals[active] ?? 0 };
  const sum = (values: readonly number[]) =>
    values.slice(span.first, span.last + 1).reduce((all, value) => all + value, 0);
  return {
    series: series.map((each) => ({ ...each, values: [sum(each.values)] })),
    index: 0,
    total: sum(totals),
  };
}
