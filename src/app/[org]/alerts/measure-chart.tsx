'use client';

import { type PointerEvent, useRef, useState } from 'react';
import type { MetricAlert, MetricState } from '#domain/alerts/alert-rule.ts';
import { boundOf, percentChange } from '#domain/alerts/compare-periods.ts';
import { describeMeasure, formatMeasure, unitOf, withUnit } from '#product/measures/describe-measure.ts';
import { describeMinutes } from '#product/measures/describe-minutes.ts';
import { ChartFoot } from '#ui/bar-chart/chart-parts.tsx';
import { niceCeiling } from '#ui/bar-chart/chart-series.ts';
import { useBucketSelection } from '#ui/bar-chart/use-bucket-selection.ts';
import { cx } from '#ui/cx.ts';
import { formatCount } from '#ui/format-number.ts';
import { formatDuration, formatSpan } from '#ui/format-time.ts';
import { useTimeZone } from '#ui/relative-time.tsx';
import { STATE_LABELS } from './alert-labels.ts';

type ThresholdName = 'critical' | 'warning' | 'resolve';
export type ThresholdLine = { name: ThresholdName; value: number };

const TICKS_MAX = 5;
const LINE_APPEARANCE: Readonly<Record<ThresholdName, { line: string; label: string; curve: string }>> = {
  critical: { line: 'border-danger', label: 'text-danger', curve: 'var(--color-danger)' },
  warning: { line: 'border-warning', label: 'text-warning', curve: 'var(--color-warning)' },
  resolve: { line: 'border-success', label: 'text-success', curve: 'var(--color-success)' },
};
const LINE_LABELS: Readonly<Record<ThresholdName, string>> = {
  critical: 'Critical',
  warning: 'Warning',
  resolve: 'Resolved',
};

/**
 * A measure over time with the thresholds of a rule; of one that compares also what it was before, and the thresholds as
 * lines that follow it. Pointing at it, or the arrow keys when it has the focus, tell the exact values. With `onMove` fixed
 * thresholds can be dragged; the fields beside it do the same by typing.
 */
export function MeasureChart({
  metric,
  buckets: { fromMs, bucketMs, values },
  before,
  states,
  thresholds,
  onMove,
  height = 160,
}: {
  metric: ChartedMetric;
  buckets: { fromMs: number; bucketMs: number; values: readonly (number | null)[] };
  /** Of the same buckets in the period before; empty for a rule that does not compare. */
  before: readonly (number | null)[];
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
  const { measure, comparisonMinutes } = metric;
  const unit = unitOf({ measure });
  const isShare = unit === '%';
  const isChange = comparisonMinutes !== undefined;
  const curves = isChange
    ? thresholds.map(({ name, value }) => ({
        name,
        values: before.map((each) => thresholdAfter(each, boundOf(metric, value))),
      }))
    : [];
  const lines = isChange ? [] : thresholds;
  const scale =
    held ??
    scaleFor(
      [...values, ...before, ...curves.flatMap((curve) => curve.values)],
      lines.map(({ value }) => value),
      isShare,
    );
  const count = Math.max(1, values.length);
  const toMs = fromMs + count * bucketMs;
  const { at, active, handlers } = useBucketSelection(count, null);
  const describe = (index: number) => {
    const from = fromMs + index * bucketMs;
    const value = values[index] ?? null;
    const state = states[index];
    const words = value === null ? 'no data' : withUnit(value, { measure });
    const suffix = state && state !== 'ok' ? `, ${STATE_LABELS[state]}` : '';
    return `${formatSpan(from, from + bucketMs, timeZone)}: ${words}${changeAt(index)}${suffix}`;
  };
  const changeAt = (index: number): string => {
    if (!isChange) return '';
    const earlier = `${describeMinutes(comparisonMinutes)} earlier`;
    const change = percentChange(values[index] ?? null, before[index] ?? null);
    return change === null
      ? `, nothing to compare with ${earlier}`
      : `, ${withUnit(change, metric)} than ${earlier}`;
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
            aria-label={`Metric, ${formatDuration(bucketMs)} per step`}
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
              {isChange ? (
                <path
                  d={linePath(before, scale)}
                  fill="none"
                  stroke={BEFORE_COLOR}
                  strokeWidth={1.5}
                  vectorEffect="non-scaling-stroke"
                />
              ) : null}
              {curves.map((curve) => (
                <path
                  key={curve.name}
                  d={linePath(curve.values, scale)}
                  fill="none"
                  stroke={LINE_APPEARANCE[curve.name].curve}
                  strokeWidth={1.25}
                  strokeDasharray="3 3"
                  vectorEffect="non-scaling-stroke"
                />
              ))}
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
          {lines.map(({ name, value }) => (
            <span
              key={name}
              aria-hidden
              title={onMove ? `Drag to move: ${LINE_LABELS[name]}` : undefined}
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
                  LINE_APPEARANCE[name].label,
                )}
              >
                {LINE_LABELS[name]}
              </span>
              <span className={cx('flex-1 border-t border-dashed', LINE_APPEARANCE[name].line)} />
            </span>
          ))}
        </div>
      </div>
      <ChartFoot fromMs={fromMs} toMs={toMs} timeZone={timeZone} ticksMax={TICKS_MAX}>
        {describeMeasure(measure)}
        {IN_UNIT.has(unit) ? ` in ${unit}` : ''}, {formatDuration(bucketMs)} per step; gaps: no data
      </ChartFoot>
      {isChange ? (
        <ul aria-label="Lines" className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1 text-text-muted text-xs">
          <LegendEntry color="var(--color-chart)" label="Metric" />
          <LegendEntry color={BEFORE_COLOR} label={`${describeMinutes(comparisonMinutes)} earlier`} />
          {curves.map(({ name }) => (
            <LegendEntry key={name} color={LINE_APPEARANCE[name].curve} label={LINE_LABELS[name]} isDashed />
          ))}
        </ul>
      ) : null}
    </figure>
  );
}

const BEFORE_COLOR = 'var(--color-chart-6)';
/** Units that are not named by what is measured. */
const IN_UNIT: ReadonlySet<string> = new Set(['%', 'ms']);

function LegendEntry({
  color,
  label,
  isDashed = false,
}: {
  color: string;
  label: string;
  isDashed?: boolean;
}) {
  return (
    <li className="flex items-center gap-1.5">
      <span
        aria-hidden
        className={cx('w-4 border-t-2', isDashed && 'border-dashed')}
        style={{ borderColor: color }}
      />
      {label}
    </li>
  );
}

/** The value at which a change of so many percent is reached; null where there is nothing to compare with. */
const thresholdAfter = (before: number | null, percent: number): number | null =>
  before === null || before === 0 ? null : before + (Math.abs(before) * percent) / 100;

const axisValue = (value: number, isShare: boolean): string =>
  isShare ? `${value}%` : Number.isInteger(value) ? formatCount(value) : formatMeasure(value);

/** A round number that is not below the value. */
function ceilingOf(value: number): number {
  if (value === 0 || value > 1) return niceCeiling(value);
  const power = 10 ** Math.ceil(1 - Math.log10(value));
  return niceCeiling(value * power) / power;
}

/** As much of a rule as the chart tells. */
type ChartedMetric = Pick<MetricAlert, 'measure' | 'direction' | 'comparisonMinutes'>;

type ChartScale = { bottom: number; top: number };

/** Room between what is shown and the edge, as a part of the whole. */
const MARGIN = 0.1;

/** Counts begin at zero, unless something is below it. Shares that are all near 100 show only the part where something happens. */
export function scaleFor(
  values: readonly (number | null)[],
  thresholds: readonly number[],
  isShare: boolean,
): ChartScale {
  const shown = [...values.filter((value) => value !== null), ...thresholds];
  const most = Math.max(0, ...shown);
  const least = shown.length > 0 ? Math.min(...shown) : 0;
  if (!isShare) {
    const bottom = least < 0 ? -ceilingOf(-least * (1 + MARGIN)) : 0;
    return { bottom, top: ceilingOf(most * (1 + MARGIN)) };
  }
  if (least >= 50) return { bottom: Math.floor(least - (100 - least) * MARGIN), top: 100 };
  return { bottom: 0, top: Math.min(100, niceCeiling(most * (1 + MARGIN))) };
}

/** From 0 at the bottom to 1 at the top. */
export const heightOf = (value: number, { bottom, top }: ChartScale): number =>
  Math.min(1, Math.max(0, (value - bottom) / (top - bottom || 1)));

/** The value at a height, as exact as the chart is. */
export function valueAt(height: number, { bottom, top }: ChartScale): number {
  const value = bottom + Math.min(1, Math.max(0, height)) * (top - bottom);
  const step = 10 ** Math.floor(Math.log10((top - bottom || 1) / 50));
  return Number((Math.round(value / step) * step).toFixed(6));
}

/** A line through the values, in a box of so many points by 100; where there is none it is broken. */
export function linePath(values: readonly (number | null)[], scale: ChartScale): string {
  let path = '';
  values.forEach((value, index) => {
    if (value === null) return;
    const isBroken = index === 0 || values[index - 1] === null;
    const y = round(100 - heightOf(value, scale) * 100);
    // A step as wide as its window, so that one alone is seen as well.
    path += `${isBroken ? 'M' : 'L'}${index} ${y}H${index + 1}`;
  });
  return path;
}

const round = (value: number): number => Math.round(value * 100) / 100;
