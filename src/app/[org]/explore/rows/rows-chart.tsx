'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useTransition } from 'react';
import { type QueryEntries, timeEntries, withFilters } from '#app/url-state.ts';
import type { NumberType } from '#product/explore/rows/function-types.ts';
import type { Range } from '#product/time-buckets.ts';
import { BarChart } from '#ui/bar-chart.tsx';
import type { LineSeries } from '#ui/line-chart/line-paths.ts';
import { LineChart } from '#ui/line-chart.tsx';
import { formatValue } from './format-value.ts';
import { SELECTION, writeSelection } from './selection-address.ts';

/**
 * The first function over time: what is counted as bars, what is measured as lines. Choosing a time shows that time, or with
 * `selection` selects it.
 */
export function RowsChart({
  label,
  unit,
  type,
  series,
  fromMs,
  bucketMs,
  height = HEIGHT,
  selection,
}: {
  label: string;
  /** What is counted, in the plural. */
  unit: string;
  type: NumberType;
  series: readonly LineSeries[];
  fromMs: number;
  bucketMs: number;
  /** Of the plot, in pixels. */
  height?: number;
  /** What is selected. */
  selection?: Range;
}) {
  const router = useRouter();
  const pathname = usePathname();
  const parameters = useSearchParams();
  const [isPending, startTransition] = useTransition();
  const isCount = type === 'integer' && series.every(({ isFaint }) => !isFaint);
  const go = (replaced: readonly string[], entries: QueryEntries) =>
    startTransition(() =>
      router.push(withFilters(pathname, parameters, replaced, entries), { scroll: false }),
    );
  const choose = (range: Range) =>
    selection
      ? go([SELECTION], { [SELECTION]: writeSelection(range) })
      : go(TIME, timeEntries({ kind: 'between', ...range }));
  if (isCount) {
    const counts = series.map((each) => ({ ...each, values: each.values.map((value) => value ?? 0) }));
    return (
      <div aria-busy={isPending}>
        <BarChart
          label={label}
          unit={unit}
          height={height}
          fromMs={fromMs}
          bucketMs={bucketMs}
          series={counts}
          selected={selection}
          onSelectRange={choose}
        />
      </div>
    );
  }
  return (
    <div aria-busy={isPending}>
      <LineChart
        label={label}
        series={series}
        fromMs={fromMs}
        bucketMs={bucketMs}
        height={height}
        format={(value) => formatValue(value, type)}
        selected={selection}
        onSelectRange={choose}
      />
    </div>
  );
}

const HEIGHT = 130;
const TIME = ['range', 'statsPeriod', 'start', 'end'];
