'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useTransition } from 'react';
import { RangeBarChart } from '#app/shell/range-bar-chart.tsx';
import { timeEntries, withFilters } from '#app/url-state.ts';
import type { NumberType } from '#product/explore/rows/function-types.ts';
import type { LineSeries } from '#ui/line-chart/line-paths.ts';
import { LineChart } from '#ui/line-chart.tsx';
import { formatValue } from './format-value.ts';

/** The first function over time: what is counted as bars, what is measured as lines. Choosing a time shows that time. */
export function RowsChart({
  label,
  unit,
  type,
  series,
  fromMs,
  bucketMs,
  height = HEIGHT,
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
}) {
  const router = useRouter();
  const pathname = usePathname();
  const parameters = useSearchParams();
  const [isPending, startTransition] = useTransition();
  const isCount = type === 'integer' && series.every(({ isFaint }) => !isFaint);
  if (isCount) {
    const counts = series.map((each) => ({ ...each, values: each.values.map((value) => value ?? 0) }));
    return (
      <RangeBarChart
        label={label}
        unit={unit}
        height={height}
        fromMs={fromMs}
        bucketMs={bucketMs}
        series={counts}
      />
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
        onSelectRange={(range) =>
          startTransition(() =>
            router.push(withFilters(pathname, parameters, TIME, timeEntries({ kind: 'between', ...range })), {
              scroll: false,
            }),
          )
        }
      />
    </div>
  );
}

const HEIGHT = 130;
const TIME = ['range', 'statsPeriod', 'start', 'end'];
