import type { MetricAlert } from './alert-rule.ts';

/**
 * By how many percent a value differs from the one before: 50 for half as much again, -50 for half of it. null where either
 * is unknown, or there was nothing before.
 */
export function percentChange(value: number | null, before: number | null): number | null {
  if (value === null || before === null || before === 0) return null;
  return (100 * (value - before)) / Math.abs(before);
}

/** The value at which a threshold lies: a decrease is a change below zero. */
export const boundOf = (
  { direction, comparisonMinutes }: Pick<MetricAlert, 'direction' | 'comparisonMinutes'>,
  threshold: number,
): number => (comparisonMinutes !== undefined && direction === 'below' ? -threshold : threshold);
