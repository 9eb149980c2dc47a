'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { type ComponentProps, useTransition } from 'react';
import { type QueryEntries, timeEntries, withFilters } from '#app/url-state.ts';
import type { Range } from '#product/time-buckets.ts';
import { RowsPlot } from './rows-plot.tsx';
import { SELECTION, writeSelection } from './selection-address.ts';

/** A plot of a page that is filtered by time: choosing a time shows that time, or with `selection` selects it. */
export function RowsChart({
  height = HEIGHT,
  selection,
  ...plot
}: Omit<ComponentProps<typeof RowsPlot>, 'height' | 'selected' | 'onSelectRange'> & {
  /** Of the plot, in pixels. */
  height?: number;
  /** What is selected. */
  selection?: Range;
}) {
  const router = useRouter();
  const pathname = usePathname();
  const parameters = useSearchParams();
  const [isPending, startTransition] = useTransition();
  const go = (replaced: readonly string[], entries: QueryEntries) =>
    startTransition(() =>
      router.push(withFilters(pathname, parameters, replaced, entries), { scroll: false }),
    );
  const choose = (range: Range) =>
    selection
      ? go([SELECTION], { [SELECTION]: writeSelection(range) })
      : go(TIME, timeEntries({ kind: 'between', ...range }));
  return (
    <div aria-busy={isPending}>
      <RowsPlot {...plot} height={height} selected={selection} onSelectRange={choose} />
    </div>
  );
}

const HEIGHT = 130;
const TIME = ['range', 'statsPeriod', 'start', 'end'];
