'use client';

import { formatValue } from '#app/[org]/explore/rows/format-value.ts';
import type { NumberType } from '#product/explore/rows/function-types.ts';
import { BarChart } from '#ui/bar-chart.tsx';
import type { LineSeries } from '#ui/line-chart/line-paths.ts';
import { LineChart } from '#ui/line-chart.tsx';

/** A chart that leads nowhere. */
export function SharedChart({
  type,
  isBars,
  ...chart
}: {
  label: string;
  type: NumberType;
  isBars: boolean;
  series: readonly LineSeries[];
  fromMs: number;
  bucketMs: number;
  height: number;
}) {
  if (!isBars) return <LineChart {...chart} format={(value) => formatValue(value, type)} />;
  const counts = chart.series.map((each) => ({ ...each, values: each.values.map((value) => value ?? 0) }));
  return <BarChart {...chart} unit="" series={counts} />;
}
