import { niceCeiling } from '#ui/bars-path.ts';

/** What a chart shows between its bottom and its top. */
export type ChartScale = { bottom: number; top: number };

/** Room between what is shown and the edge, as a part of the whole. */
const MARGIN = 0.1;

/** Counts begin at zero. Shares that are all near 100 show only the part where something happens. */
export function scaleFor(
  values: readonly (number | null)[],
  thresholds: readonly number[],
  isShare: boolean,
): ChartScale {
  const shown = [...values.filter((value) => value !== null), ...thresholds];
  const most = Math.max(0, ...shown);
  if (!isShare) return { bottom: 0, top: niceCeiling(most * (1 + MARGIN)) };
  const least = shown.length > 0 ? Math.min(...shown) : 0;
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
