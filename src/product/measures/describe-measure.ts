import type { AlertMeasure, MetricAlert, MetricMeasure, RowMeasure } from '#domain/alerts/alert-rule.ts';
import {
  functionType,
  isPerMinute,
  type NumberType,
  splitFunction,
} from '#product/explore/rows/function-types.ts';

/** What decides what a value is. */
export type MeasuredAs = Pick<MetricAlert, 'measure' | 'comparisonMinutes'>;

const MEASURES: Readonly<Record<AlertMeasure, string>> = {
  events: 'Events',
  users: 'Users affected',
  crash_free_sessions: 'Crash-free sessions',
  crash_free_users: 'Crash-free users',
  failure_rate: 'Failure rate',
};

/** `Failure rate`, `p95(span.duration) of spans`. */
export const describeMeasure = (measure: MetricMeasure): string =>
  typeof measure === 'string' ? MEASURES[measure] : `${measure.function} of ${measure.dataset}`;

/** Whether it is a share of sessions, or of those who had them. */
export const isOfSessions = (measure: MetricMeasure): boolean =>
  measure === 'crash_free_sessions' || measure === 'crash_free_users';

const UNITS: Readonly<Record<AlertMeasure, string>> = {
  events: 'events',
  users: 'users',
  crash_free_sessions: '%',
  crash_free_users: '%',
  failure_rate: '%',
};

/** What the rows of a dataset are called. */
const ROWS: Readonly<Record<RowMeasure['dataset'], string>> = {
  spans: 'spans',
  logs: 'lines',
  metrics: 'values',
};

/** Of what is measured itself; changes are percentages of it. */
export function typeOfMeasure(measure: MetricMeasure): NumberType {
  if (typeof measure === 'string') return UNITS[measure] === '%' ? 'percentage' : 'integer';
  const split = splitFunction(measure.function);
  return split ? functionType(measure.dataset, split) : 'number';
}

/** What stands behind a value, `events` or `%`; empty for a number without a unit. */
export function unitOf({ measure, comparisonMinutes }: MeasuredAs): string {
  if (comparisonMinutes !== undefined) return '%';
  if (typeof measure === 'string') return UNITS[measure];
  const name = splitFunction(measure.function)?.name ?? '';
  switch (typeOfMeasure(measure)) {
    case 'integer':
      return name === 'count_unique' ? '' : ROWS[measure.dataset];
    case 'duration':
      return 'ms';
    case 'percentage':
      return '%';
    case 'rate':
      return isPerMinute(name) ? 'per minute' : 'per second';
    default:
      return '';
  }
}

const VALUES = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const SMALL_VALUES = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 });

/** `1,000`, `99.95`, `0.0042`. */
export const formatMeasure = (value: number): string =>
  (Math.abs(value) < 0.1 ? SMALL_VALUES : VALUES).format(value);

/** `1,000 events`, `99.5%`, `412.5 ms`; of a change `40% higher`. */
export function withUnit(value: number, metric: MeasuredAs): string {
  if (metric.comparisonMinutes !== undefined) {
    return `${formatMeasure(Math.abs(value))}% ${value < 0 ? 'lower' : 'higher'}`;
  }
  const unit = unitOf(metric);
  return `${formatMeasure(value)}${unit === '' || unit === '%' ? '' : ' '}${unit}`;
}

/** `1,200 events, 800 events before`; null for what is no change. */
export function describeChange(
  { measured, measuredBefore }: { measured: number | null; measuredBefore: number | null },
  { measure }: Pick<MeasuredAs, 'measure'>,
): string | null {
  if (measured === null || measuredBefore === null) return null;
  return `${withUnit(measured, { measure })}, ${withUnit(measuredBefore, { measure })} before`;
}

/** Seen from the bad side. */
export const SIDES = { above: 'higher', below: 'lower' } as const;
