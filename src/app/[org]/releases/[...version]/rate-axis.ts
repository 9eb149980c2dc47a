import type { LineSeries } from '#ui/line-chart/line-paths.ts';

const BOTTOMS = [0.995, 0.99, 0.98, 0.95, 0.9, 0.8, 0.5, 0];

/** An axis of shares that ends at all, and begins so close to it that a difference of one percent is seen. */
export function rateAxis(series: readonly LineSeries[]): { bottom: number; top: number } {
  const lowest = Math.min(1, ...series.flatMap(({ values }) => values.filter((value) => value !== null)));
  return { bottom: BOTTOMS.find((bottom) => bottom <= lowest) ?? 0, top: 1 };
}
