'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useTransition } from 'react';
import { timeEntries, withFilters } from '#app/url-state.ts';
import { formatRate } from '#ui/format-number.ts';
import type { LineSeries } from '#ui/line-chart/line-paths.ts';
import { LineChart } from '#ui/line-chart.tsx';
import { rateAxis } from './rate-axis.ts';

const TIME = ['range', 'statsPeriod', 'start', 'end'];

/** Shares over time, 0 to 1; where there is nothing to take a share of, a line has a gap. Choosing a time shows that time. */
export function RateChart({
  label,
  series,
  fromMs,
  bucketMs,
}: {
  label: string;
  series: readonly LineSeries[];
  fromMs: number;
  bucketMs: number;
}) {
  const router = useRouter();
  const pathname = usePathname();
  const parameters = useSearchParams();
  const [isPending, startTransition] = useTransition();
  return (
    <div aria-busy={isPending}>
      <LineChart
        label={label}
        series={series}
        fromMs={fromMs}
        bucketMs={bucketMs}
        axis={rateAxis(series)}
        format={(value) => (value === null ? 'no sessions' : formatRate(value))}
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
