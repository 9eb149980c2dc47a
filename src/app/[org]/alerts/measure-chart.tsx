'use client';

import { type PointerEvent, useRef, useState } from 'react';
import { describeMeasure } from '#product/alerts/describe-alert-rule.ts';
import type { AlertMeasure, MetricState } from '#storage/ports/alert-rules.ts';
import { TimeAxis } from '#ui/bar-chart/chart-axes.tsx';
import { useBucketSelection } from '#ui/bar-chart/use-bucket-selection.ts';
import { cx } from '#ui/cx.ts';
import { formatCount } from '#ui/format-number.ts';
import { formatDuration, formatSpan } from '#ui/format-time.ts';
import { useTimeZone } from '#ui/relative-time.tsx';
import { timeTicks } from '#ui/time-ticks.ts';
import { STATE_WORDS, UNITS, withUnit } from './alert-words.ts';
import { type ChartScale, heightOf, linePath, scaleFor, valueAt } from './chart-scale.ts';

export type ThresholdName = 'critical' | 'warning' | 'resolve';
export type ThresholdLine = { name: ThresholdName; value: number };

const TICKS_MAX = 5;
const LINE_LOOKS: Readonly<Record<ThresholdName, { line: string; label: string }>> = {
  critical: { line: 'border-danger', label: 'text-danger' },
  warning: { line: 'border-warning', label: 'text-warning' },
  resolve: { line: 'border-success', label: 'text-success' },
};
const LINE_WORDS: Readonly<Record<ThresholdName, string>> = {
  critical: 'Critical',
  warning: 'Warning',
  resolve: 'OK again',
};

/**
 * A measure over time with the thresholds of a rule. Pointing at it, or the arrow keys when it has the focus, tell the
 * exact values. With `onMove` thresholds can be dragged; the fields beside it do the same by typing.
 */
export function MeasureChart({
  measure,
  buckets: { fromMs, bucketMs, values },
  states,
  thresholds,
  onMove,
  height = 160,
}: {
  measure: AlertMeasure;
  buckets: { fromMs: number; bucketMs: number; values: readonly (number | null)[] };
  states: readonly MetricState[];
  thresholds: readonly ThresholdLine[];
  onMove?: (name: ThresholdName, value: number) => void;
  /** Of the plot, in pixels. */
  height?: number;
}) {
  const timeZone = useTimeZone();
  const plot = useRef<HTMLDivElement>(null);
  // While a threshold is dragged the axis stays.
  const [held, setHeld] = useState<ChartScale | null>(null);
  const isShare = UNITS[measure] === '%';
  const scale =
    held ??
    scaleFor(
      values,
      thresholds.map(({ value }) => value),
      isShare,
    );
  const count = Math.max(1, values.length);
  const toMs = fromMs + count * bucketMs;
  const { at, active, handlers } = useBucketSelection(count, null);
  const describe = (index: number) => {
    const from = fromMs + index * bucketMs;
    const value = values[index] ?? null;
    const state = states[index];
    const words = value === null ? 'no data' : withUnit(value, measure);
    const told = state && state !== 'ok' ? `, ${STATE_WORDS[state]}` : '';
    return `${formatSpan(from, from + bucketMs, timeZone)}: ${words}${told}`;
  };

  function drag(event: PointerEvent<HTMLSpanElement>, name: ThresholdName) {
    const box = plot.current?.getBoundingClientRect();
    if (!box || !onMove || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    onMove(name, valueAt((box.bottom - event.clientY) / box.height, scale));
  }

  return (
    <figure className="min-w-0">
      <div className="flex gap-2">
        <div
          aria-hidden
          className="numbers relative w-9 shrink-0 text-right text-text-faint text-xs"
          style={{ height }}
        >
          <span className="absolute -top-1.5 right-0">{axisValue(scale.top, isShare)}</span>
          <span className="absolute right-0 -bottom-2">{axisValue(scale.bottom, isShare)}</span>
        </div>
        <div ref={plot} className="relative min-w-0 flex-1" style={{ height }}>
          <div
            role="slider"
            tabIndex={0}
            aria-label={`The measure, ${formatDuration(bucketMs)} per step`}
            aria-valuemin={0}
            aria-valuemax={count - 1}
            aria-valuenow={at}
            aria-valuetext={describe(at)}
            className="absolute inset-0 cursor-crosshair touch-pan-y select-none rounded-xs border-border-strong border-b"
            {...handlers}
          >
            <svg
              aria-hidden="true"
              viewBox={`0 0 ${count} 100`}
              preserveAspectRatio="none"
              className="absolute inset-0 size-full"
            >
              {states.map((state, index) =>
                state === 'ok' ? null : (
                  <rect
                    // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
                    key={index}
                    x={index}
                    width={1}
                    height={100}
                    className={state === 'critical' ? 'fill-danger-soft' : 'fill-warning-soft'}
                  />
                ),
              )}
              <path
                d={linePath(values, scale)}
                fill="none"
                stroke="var(--color-chart)"
                strokeWidth={1.75}
                strokeLinecap="round"
                vectorEffect="non-scaling-stroke"
              />
            </svg>
            {active !== null ? (
              <div
                aria-hidden
                className="pointer-events-none absolute bottom-full z-10 mb-1.5 w-max max-w-64 rounded-md bg-surface-raised px-2.5 py-1.5 text-xs shadow-float"
                style={
                  active / count < 0.5
                    ? { left: `${(active / count) * 100}%` }
                    : { right: `${(1 - active / count) * 100}%` }
                }
              >
                {describe(active)}
              </div>
            ) : null}
          </div>
          {thresholds.map(({ name, value }) => (
            <span
              key={name}
              aria-hidden
              title={onMove ? `Drag to move: ${LINE_WORDS[name]}` : undefined}
              className={cx(
                'absolute inset-x-0 flex h-4 translate-y-1/2 items-center',
                onMove ? 'cursor-ns-resize touch-none' : 'pointer-events-none',
              )}
              style={{ bottom: `${heightOf(value, scale) * 100}%` }}
              onPointerDown={(event) => {
                if (!onMove) return;
                event.preventDefault();
                event.currentTarget.setPointerCapture(event.pointerId);
                setHeld(scale);
              }}
              onPointerMove={(event) => drag(event, name)}
              onPointerUp={() => setHeld(null)}
              onPointerCancel={() => setHeld(null)}
            >
              {/* At the beginning: what counts is at the end. */}
              <span
                className={cx(
                  'numbers shrink-0 rounded-xs bg-surface-raised px-1 text-xs',
                  LINE_LOOKS[name].label,
                )}
              >
                {LINE_WORDS[name]}
              </span>
              <span className={cx('flex-1 border-t border-dashed', LINE_LOOKS[name].line)} />
            </span>
          ))}
        </div>
      </div>
      <TimeAxis
        ticks={timeTicks({ fromMs, toMs }, timeZone, TICKS_MAX)}
        fromMs={fromMs}
        toMs={toMs}
        timeZone={timeZone}
      />
      <figcaption className="mt-1 ml-11 flex flex-wrap justify-between gap-x-4 text-text-faint text-xs">
        <span>
          {describeMeasure(measure)}
          {isShare ? ' in %' : ''}, {formatDuration(bucketMs)} per step; gaps: no data
        </span>
        <span>{timeZone.replaceAll('_', ' ')}</span>
      </figcaption>
    </figure>
  );
}

const axisValue = (value: number, isShare: boolean): string => (isShare ? `${value}%` : formatCount(value));
