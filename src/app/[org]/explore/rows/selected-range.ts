import type { ChartedRows } from '#product/explore/rows/explored-rows.ts';
import type { Range } from '#product/time-buckets.ts';

type Charted = Pick<ChartedRows, 'range' | 'bucketMs' | 'series'>;

/** What is explained of a chart: what was selected, as far as it is of its time, otherwise its peak; null without any. */
export function selectedRange(selection: Range | 'peak' | null, chart: Charted): Range | null {
  if (selection === null) return null;
  const { range } = chart;
  const isInside = selection !== 'peak' && selection.fromMs < range.toMs && selection.toMs > range.fromMs;
  return isInside ? selection : peakOf(chart);
}

/** The highest bucket, with those beside it that are at least half as high; null where nothing is above zero. */
function peakOf({ range, bucketMs, series }: Charted): Range | null {
  const heights: number[] = [];
  for (const { values } of series) {
    for (const [index, value] of (values[0] ?? []).entries()) {
      heights[index] = (heights[index] ?? 0) + (value ?? 0);
    }
  }
  const top = Math.max(0, ...heights);
  if (top === 0) return null;
  let first = heights.indexOf(top);
  let last = first;
  // At least half of the time stays to compare with.
  const isPart = () => (last - first + 2) * 2 <= heights.length;
  while (isPart() && (heights[first - 1] ?? 0) * 2 >= top) first--;
  while (isPart() && (heights[last + 1] ?? 0) * 2 >= top) last++;
  const startOf = (index: number) => range.bucketsFromMs + index * bucketMs;
  return { fromMs: startOf(first), toMs: startOf(last + 1) };
}
