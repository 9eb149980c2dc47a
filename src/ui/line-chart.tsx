'use client';

import { ChartFoot, SelectedBand } from './bar-chart/chart-parts.tsx';
import { useBucketSelection } from './bar-chart/use-bucket-selection.ts';
import { formatDuration, formatSpan } from './format-time.ts';
import { dotPaths, type LineSeries, linePaths, lineTop } from './line-chart/line-paths.ts';
import { useTimeZone } from './relative-time.tsx';

const TICKS_MAX = 7;
const WIDTH = 1_000;
/** Of a value by itself. */
const DOT_PIXELS = 7;

/**
 * Values over time as lines; where there is no value a line has a gap. Pointing at it, or the arrow keys when the chart
 * has the focus, tell the values. With `onSelectRange` a drag, or Shift with the arrow keys and Enter, chooses a time.
 */
export function LineChart({
  label,
  series,
  fromMs,
  bucketMs,
  height = 140,
  format,
  axis,
  selected,
  onSelectRange,
}: {
  label: string;
  series: readonly LineSeries[];
  fromMs: number;
  bucketMs: number;
  /** Of the plot, in pixels. */
  height?: number;
  /** A value with its unit. */
  format: (value: number | null) => string;
  /** Where the axis begins and ends; by default at zero and at the largest value. */
  axis?: { bottom: number; top: number };
  /** A time that stays marked. */
  selected?: { fromMs: number; toMs: number } | undefined;
  onSelectRange?: (range: { fromMs: number; toMs: number }) => void;
}) {
  const timeZone = useTimeZone();
  const count = Math.max(1, ...series.map(({ values }) => values.length));
  const startOf = (index: number) => fromMs + index * bucketMs;
  const { at, active, span, handlers } = useBucketSelection(
    count,
    onSelectRange
      ? ({ first, last }) => onSelectRange({ fromMs: startOf(first), toMs: startOf(last + 1) })
      : null,
  );
  const { bottom, top } = axis ?? { bottom: 0, top: lineTop(series) };
  const box = { width: WIDTH, height, bottom, top, count };
  const heading = (index: number) => formatSpan(startOf(index), startOf(index + 1), timeZone);
  const valuesAt = (index: number) =>
    series.map((each) => ({ ...each, text: format(each.values[index] ?? null) }));
  const left = (index: number) => `${((index + 0.5) / count) * 100}%`;
  return (
    <figure className="min-w-0">
      <div className="flex gap-2">
        <div
          aria-hidden
          className="numbers relative w-14 shrink-0 text-right text-text-faint text-xs"
          style={{ height }}
        >
          <span className="absolute -top-1.5 right-0">{format(top)}</span>
          <span className="absolute right-0 -bottom-2">{bottom === 0 ? 0 : format(bottom)}</span>
        </div>
        <div
          role="slider"
          tabIndex={0}
          aria-label={`${label}, ${formatDuration(bucketMs)} per point`}
          aria-valuemin={0}
          aria-valuemax={count - 1}
          aria-valuenow={at}
          aria-valuetext={`${heading(at)}: ${valuesAt(at)
            .map((each) => `${each.label} ${each.text}`)
            .join(', ')}`}
          className="relative min-w-0 flex-1 cursor-crosshair touch-pan-y select-none rounded-xs"
          style={{ height }}
          {...handlers}
        >
          <div aria-hidden className="absolute inset-x-0 top-0 border-t border-dashed" />
          <div aria-hidden className="absolute inset-x-0 top-1/2 border-t border-dashed" />
          <div aria-hidden className="absolute inset-x-0 bottom-0 border-border-strong border-t" />
          <SelectedBand selected={selected} fromMs={fromMs} toMs={startOf(count)} />
          {span ? (
            <div
              aria-hidden
              className="absolute inset-y-0 border-accent-line border-x bg-accent-soft"
              style={{
                left: `${(span.first / count) * 100}%`,
                width: `${((span.last - span.first + 1) / count) * 100}%`,
              }}
            />
          ) : null}
          <svg
            aria-hidden="true"
            viewBox={`0 0 ${WIDTH} ${height}`}
            preserveAspectRatio="none"
            className="absolute inset-0 size-full overflow-visible"
          >
            {series.map((each) => (
              <g key={each.label} fill="none" strokeLinecap="round" style={{ stroke: each.color }}>
                <path
                  d={linePaths(each.values, box)}
                  strokeWidth={1.75}
                  strokeLinejoin="round"
                  strokeDasharray={each.isFaint ? '3 3' : undefined}
                  vectorEffect="non-scaling-stroke"
                />
                <path
                  d={dotPaths(each.values, box)}
                  strokeWidth={DOT_PIXELS}
                  vectorEffect="non-scaling-stroke"
                />
              </g>
            ))}
          </svg>
          {active === null ? null : (
            <>
              <div
                aria-hidden
                className="pointer-events-none absolute inset-y-0 border-border-strong border-l"
                style={{ left: left(active) }}
              />
              <div
                aria-hidden
                className="pointer-events-none absolute bottom-full z-10 mb-1.5 w-max max-w-72 rounded-md bg-surface-raised px-2.5 py-1.5 text-xs shadow-float"
                style={
                  active < count / 2
                    ? { left: left(active) }
                    : { right: `${100 - ((active + 0.5) / count) * 100}%` }
                }
              >
                <div className="text-text-muted">{heading(active)}</div>
                {valuesAt(active).map((each) => (
                  <div key={each.label} className="numbers flex items-center gap-1.5">
                    <span className="size-2 shrink-0 rounded-xs" style={{ background: each.color }} />
                    <bdi className="min-w-0 flex-1 truncate">{each.label}</bdi>
                    <span className="font-medium">{each.text}</span>
                  </div>
                ))}
              </div>
            </>
          )}
        </div>
      </div>
      <ChartFoot hasWideAxis fromMs={fromMs} toMs={startOf(count)} timeZone={timeZone} ticksMax={TICKS_MAX}>
        {label}, {formatDuration(bucketMs)} per point
      </ChartFoot>
    </figure>
  );
}
