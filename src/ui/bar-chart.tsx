'use client';

import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { barsPath, niceCeiling } from './bars-path.ts';
import { cx } from './cx.ts';
import { formatCount, formatExact } from './format-number.ts';
import { formatDuration, formatPoint, formatSpan } from './format-time.ts';
import { useTimeZone } from './relative-time.tsx';
import { timeTicks } from './time-ticks.ts';

export type ChartSeries = {
  label: string;
  /** One per bucket, oldest first. */
  values: readonly number[];
  /** A CSS colour, for example `var(--color-chart)`. */
  color: string;
};

const BAR_WIDTH = 8;
const BAR_GAP = 2;
const TICKS_MAX = 7;

/**
 * Counts over time as bars, several series stacked, with axes in the reader's time zone. Pointing at a bar, or the
 * arrow keys when the chart has the focus, tell the exact values.
 */
export function BarChart({
  label,
  series,
  fromMs,
  bucketMs,
  height = 120,
  unit,
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
}) {
  const timeZone = useTimeZone();
  const [active, setActive] = useState<number | null>(null);
  const count = Math.max(1, ...series.map((each) => each.values.length));
  const totals = Array.from({ length: count }, (_, i) =>
    series.reduce((sum, each) => sum + (each.values[i] ?? 0), 0),
  );
  const top = niceCeiling(Math.max(...totals));
  const toMs = fromMs + count * bucketMs;
  const { ticks, unit: tickUnit } = timeTicks({ fromMs, toMs }, timeZone, TICKS_MAX);
  const width = count * (BAR_WIDTH + BAR_GAP);
  const at = active ?? count - 1;

  const describe = (index: number) =>
    `${formatSpan(fromMs + index * bucketMs, fromMs + (index + 1) * bucketMs, timeZone)}: ${formatExact(totals[index] ?? 0)} ${unit}`;

  function onPointerMove(event: PointerEvent<HTMLDivElement>) {
    const box = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - box.left) / box.width) * count);
    setActive(Math.min(count - 1, Math.max(0, index)));
  }

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const moves: Record<string, number> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: count - 1 };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setActive(Math.min(count - 1, Math.max(0, next)));
  }

  return (
    <figure className="min-w-0">
      <div className="flex gap-2">
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
        <div
          role="slider"
          tabIndex={0}
          aria-label={`${label}, ${formatDuration(bucketMs)} per bar`}
          aria-valuemin={0}
          aria-valuemax={count - 1}
          aria-valuenow={at}
          aria-valuetext={describe(at)}
          className="relative min-w-0 flex-1 cursor-crosshair rounded-xs"
          style={{ height }}
          onPointerMove={onPointerMove}
          onPointerLeave={() => setActive(null)}
          onKeyDown={onKeyDown}
          onFocus={(event) => {
            if (event.currentTarget.matches(':focus-visible')) setActive(at);
          }}
          onBlur={() => setActive(null)}
        >
          <div aria-hidden className="absolute inset-x-0 top-0 border-t border-dashed" />
          <div aria-hidden className="absolute inset-x-0 top-1/2 border-t border-dashed" />
          <div aria-hidden className="absolute inset-x-0 bottom-0 border-border-strong border-t" />
          {active !== null ? (
            <div
              aria-hidden
              className="absolute inset-y-0 bg-surface-pressed"
              style={{ left: `${(active / count) * 100}%`, width: `${100 / count}%` }}
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
          {active !== null ? (
            <div
              aria-hidden
              className="pointer-events-none absolute bottom-full z-10 mb-1.5 w-max max-w-64 rounded-md bg-surface-raised px-2.5 py-1.5 text-xs shadow-float"
              style={tooltipSide(active / count)}
            >
              <div className="text-text-muted">
                {formatSpan(fromMs + active * bucketMs, fromMs + (active + 1) * bucketMs, timeZone)}
              </div>
              {series.length === 1 ? (
                <div className="numbers font-medium">
                  {formatExact(totals[active] ?? 0)} {unit}
                </div>
              ) : (
                series
                  .filter((each) => (each.values[active] ?? 0) > 0)
                  .map((each) => (
                    <div key={each.label} className="numbers flex items-center gap-1.5">
                      <span className="size-2 rounded-xs" style={{ background: each.color }} />
                      <span className="flex-1">{each.label}</span>
                      <span className="font-medium">{formatExact(each.values[active] ?? 0)}</span>
                    </div>
                  ))
              )}
            </div>
          ) : null}
        </div>
      </div>
      <div aria-hidden className="relative mt-2 ml-11 h-4 text-text-faint text-xs">
        {ticks.map((tick, index) => (
          <span
            key={tick}
            className={cx('absolute -translate-x-1/2 whitespace-nowrap', index % 2 === 1 && 'max-sm:hidden')}
            style={{ left: `${Math.min(97, Math.max(3, ((tick - fromMs) / (toMs - fromMs)) * 100))}%` }}
          >
            {formatPoint(tick, timeZone, tickUnit)}
          </span>
        ))}
      </div>
      <figcaption className="mt-1 ml-11 flex flex-wrap justify-between gap-x-4 text-text-faint text-xs">
        <span>
          {label}, {formatDuration(bucketMs)} per bar
        </span>
        <span>{timeZone.replaceAll('_', ' ')}</span>
      </figcaption>
    </figure>
  );
}

function stackedPath(
  below: readonly ChartSeries[],
  series: ChartSeries,
  { height, top }: { height: number; top: number },
): string {
  if (below.length === 0) {
    return barsPath(series.values, { height, barWidth: BAR_WIDTH, gap: BAR_GAP, max: top });
  }
  let path = '';
  series.values.forEach((value, index) => {
    if (value <= 0) return;
    const base = below.reduce((sum, each) => sum + (each.values[index] ?? 0), 0);
    const lower = height - (base / top) * height;
    const upper = lower - Math.max(1.5, (value / top) * height);
    path += `M${index * (BAR_WIDTH + BAR_GAP)} ${lower}V${upper}h${BAR_WIDTH}V${lower}z`;
  });
  return path;
}

/** Keeps the tooltip within the chart: it hangs left of bars in the right half. */
function tooltipSide(position: number): { left?: string; right?: string } {
  return position < 0.5
    ? { left: `${position * 100}%` }
    : { right: `${Math.max(0, (1 - position) * 100 - 2)}%` };
}
