import type { MetricAlert, MetricState } from '#storage/ports/alert-rules.ts';

type Thresholds = Pick<MetricAlert, 'direction' | 'critical' | 'warning' | 'resolve'>;

/**
 * What a metric is after a measurement. It grows worse as soon as it passes a threshold. It is a warning again once it is
 * no more critical, and well once it lies on the good side of `resolve`, without one of the lowest threshold. A share of
 * nothing (null) changes nothing.
 */
export function nextMetricState(
  { direction, critical, warning, resolve }: Thresholds,
  state: MetricState,
  value: number | null,
): MetricState {
  if (value === null) return state;
  const passes = (threshold: number) => (direction === 'above' ? value > threshold : value < threshold);
  if (passes(critical)) return 'critical';
  if (warning !== null && passes(warning)) return 'warning';
  const isWell = !passes(resolve ?? warning ?? critical);
  if (state === 'ok' || isWell) return 'ok';
  return warning === null ? 'critical' : 'warning';
}
