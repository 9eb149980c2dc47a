'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { type ComponentProps, useTransition } from 'react';
import { BarChart } from '#ui/bar-chart.tsx';
import { timeEntries, withFilters } from '../url-state.ts';

const TIME_PARAMETERS = ['range', 'statsPeriod', 'start', 'end'];

/** A chart in which choosing a time shows the page of that time. */
export function RangeBarChart(props: Omit<ComponentProps<typeof BarChart>, 'onSelectRange'>) {
  const router = useRouter();
  const pathname = usePathname();
  const parameters = useSearchParams();
  const [isPending, startTransition] = useTransition();
  return (
    <div aria-busy={isPending}>
      <BarChart
        {...props}
        onSelectRange={(range) =>
          startTransition(() =>
            router.push(
              withFilters(pathname, parameters, TIME_PARAMETERS, timeEntries({ kind: 'between', ...range })),
              { scroll: false },
            ),
          )
        }
      />
    </div>
  );
}
