import { ChartNoAxesColumn } from 'lucide-react';
import { visibleText } from '#lib/visible-text.ts';
import type { Range } from '#product/time-buckets.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { formatCountChange } from '#ui/format-number.ts';
import type { LineSeries } from '#ui/line-chart/line-paths.ts';
import { RelativeTime } from '#ui/relative-time.tsx';
import { SERIES_COLORS } from '#ui/series-colors.ts';
import { ChartLegend } from './chart-legend.tsx';
import { formatValue, formatValueExactly } from './format-value.ts';
import type { RowsSummary as Summary } from './read-rows.ts';
import { RowsChart } from './rows-chart.tsx';
import { type RowsPlace, rowsHref } from './rows-state.ts';

/** What the functions say of all rows, and the first of them over time. */
export function RowsSummary({
  place,
  summary,
  selection,
  titles,
  unit,
  now,
}: {
  place: RowsPlace;
  summary: Summary;
  /** The part of the time that is explained; null for none. */
  selection: Range | null;
  /** Of issues, by short id. */
  titles: ReadonlyMap<string, string>;
  unit: string;
  now: number;
}) {
  const { totals, chart, before } = summary;
  const [group] = totals.groups;
  const first = chart.functions[0];
  const lines = linesOf(summary, titles);
  return (
    <Card className="mb-3">
      <dl className="mb-3 flex flex-wrap gap-x-8 gap-y-2">
        {totals.functions.map(({ name, type }, index) => {
          const value = group?.values[index] ?? null;
          const earlier = before?.totals.groups[0]?.values[index] ?? null;
          return (
            <div key={name} className="flex flex-col-reverse">
              <dt className="mono break-anything text-text-muted text-xs">{name}</dt>
              <dd className="numbers font-semibold text-xl" title={formatValueExactly(value, type)}>
                {type === 'date' && value !== null ? (
                  <RelativeTime at={value} now={now} />
                ) : (
                  formatValue(value, type)
                )}
                {before && type !== 'date' ? (
                  <span className="ml-1.5 font-normal text-text-muted text-xs">
                    {value !== null && earlier !== null
                      ? (formatCountChange(round(value), round(earlier)) ?? 'as before')
                      : 'nothing before'}
                  </span>
                ) : null}
              </dd>
            </div>
          );
        })}
      </dl>
      {first ? (
        <RowsChart
          label={first.name}
          unit={unit}
          type={first.type}
          series={lines}
          fromMs={chart.range.bucketsFromMs}
          bucketMs={chart.bucketMs}
          {...(selection ? { selection } : {})}
        />
      ) : null}
      {chart.series.length > 1 ? <ChartLegend lines={lines} /> : null}
      {first && selection === null ? (
        <div className="mt-3 flex justify-end">
          <ButtonLink
            size="sm"
            href={rowsHref(place, { selection: 'peak' })}
            title="Explain the highest part of the chart, or the one that you select"
          >
            <ChartNoAxesColumn aria-hidden className="size-4" />
            What changed here
          </ButtonLink>
        </div>
      ) : null}
    </Card>
  );
}

/** Each group, or all rows; the period before is put where its time would be now. */
export function linesOf(
  { chart, before }: Summary,
  titles: ReadonlyMap<string, string>,
): readonly LineSeries[] {
  const nameOf = (key: string) => [key, titles.get(key)].filter(Boolean).join(' ') || '(none)';

  const lines = chart.series.map(
    ({ keys, values }, index): LineSeries => ({
      label: visibleText(keys.map(nameOf).join(' · ')) || 'Now',
      values: values[0] ?? [],
      color: SERIES_COLORS[index] ?? 'var(--color-chart-6)',
    }),
  );
  const earlier = before?.chart.series[0];
  if (!earlier || chart.series.length !== 1) return lines;
  return [
    ...lines,
    { label: 'Period before', values: earlier.values[0] ?? [], color: 'var(--color-chart-6)', isFaint: true },
  ];
}

/** Enough digits for a percentage. */
const round = (value: number): number => Math.round(value * 1_000) / 1_000;
