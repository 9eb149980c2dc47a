'use client';

import type { NumberType } from '#product/explore/rows/function-types.ts';
import type { Range } from '#product/time-buckets.ts';
import { BarChart } from '#ui/bar-chart.tsx';
import type { LineSeries } from '#ui/line-chart/line-paths.ts';
import { LineChart } from '#ui/line-chart.tsx';
import { formatValue } from './format-value.ts';

/** A function over time: what is counted as bars, what is measured or compared as lines. */
export function RowsPlot({
  unit,
  type,
  series,
  ...chart
}: {
  label: string;
  /** What is counted, in the plural. */
  unit: string;
  type: NumberType;
  series: readonly LineSeries[];
  fromMs: number;
  bucketMs: number;
  /** Of the plot, in pixels. */
  height: number;
  /** What is selected. */
  selected?: Range | undefined;
  /** What choosing a time does; without it none can be chosen. */
  onSelectRange?: (range: Range) => void;
}) {
  if (type === 'integer' && series.every(({ isFaint }) => !isFaint)) {
    const counts = series.map((each) => ({ ...each, values: each.values.map((value) => value ?? 0) }));
    return <BarChart {...chart} unit={unit} series={counts} />;
  }
  return <LineChart {...chart} series={series} format={(value) => formatValue(value, type)} />;
}
