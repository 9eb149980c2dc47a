import { groupHref } from '#app/[org]/explore/rows/group-address.ts';
import type { RowsPlace } from '#app/[org]/explore/rows/rows-state.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { QueryChart } from '#product/dashboards/read-widget.ts';
import type { LineSeries } from '#ui/line-chart/line-paths.ts';
import { SERIES_COLORS } from '#ui/series-colors.ts';

/** A line of a widget, and where the rows are that it counts; null where nothing leads there. */
export type WidgetLine = LineSeries & { href: string | null };

/** What the lines of each query are called: its alias, else its search when there are several. */
export const queryNames = (queries: readonly { query: string; alias: string }[]): readonly string[] =>
  queries.map(({ query, alias }) => alias || (queries.length > 1 ? query || 'All' : ''));

/**
 * The lines of all queries of a chart, each with a color and a label of its own. `names` and `places` are in the order of the
 * queries.
 */
export function linesOfQueries(
  charts: readonly QueryChart[],
  names: readonly string[],
  places: readonly RowsPlace[] | null,
): readonly WidgetLine[] {
  const taken = new Map<string, number>();
  const distinct = (label: string): string => {
    const times = (taken.get(label) ?? 0) + 1;
    taken.set(label, times);
    return times === 1 ? label : `${label} (${times})`;
  };
  return charts
    .flatMap(({ chart }, index) =>
      chart.series.map(({ keys, values }) => {
        const place = places?.[index];
        const parts = [names[index] ?? '', ...keys.map((key) => key || '(none)')];
        return {
          label: parts.filter((part) => part !== '').join(' · ') || (chart.functions[0]?.name ?? ''),
          values: values[0] ?? [],
          href: place ? groupHref(place, keys) : null,
        };
      }),
    )
    .map((line, index) => ({
      ...line,
      label: distinct(visibleText(line.label)),
      color: SERIES_COLORS[index % SERIES_COLORS.length] ?? '',
    }));
}
