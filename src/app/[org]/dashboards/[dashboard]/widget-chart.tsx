import type { Widget } from '#domain/dashboards/dashboard.ts';
import type { QueryChart } from '#product/dashboards/read-widget.ts';
import { ChartLegend } from '../../explore/rows/chart-legend.tsx';
import { RowsChart } from '../../explore/rows/rows-chart.tsx';
import { RowsPlot } from '../../explore/rows/rows-plot.tsx';
import { ROWS_PAGES, type RowsPlace } from '../../explore/rows/rows-state.ts';
import { linesOfQueries } from './widget-lines.ts';
import { pageOf } from './widget-place.ts';

/** The first function over time, of the groups of each query; null without any. */
export function WidgetChart({
  widget,
  names,
  charts,
  places,
}: {
  widget: Pick<Widget, 'display' | 'dataset' | 'height'>;
  /** What the lines of each query are called. */
  names: readonly string[];
  charts: readonly QueryChart[];
  /** null on a public page. */
  places: readonly RowsPlace[] | null;
}) {
  const lines = linesOfQueries(charts, names, places);
  const chart = charts[0]?.chart;
  const first = chart?.functions[0];
  if (!chart || !first || lines.length === 0) return null;
  const isNamed = lines.length > 1 || names.some((name) => name !== '') || hasKeys(charts);
  const Chart = places ? RowsChart : RowsPlot;
  return (
    <div className="p-4">
      <Chart
        label={first.name}
        unit={`${ROWS_PAGES[pageOf(widget)].one}s`}
        type={widget.display === 'line' && first.type === 'integer' ? 'number' : first.type}
        series={lines}
        fromMs={chart.range.bucketsFromMs}
        bucketMs={chart.bucketMs}
        height={PLOT_HEIGHTS[widget.height] ?? PLOT_HEIGHTS[2]}
      />
      {isNamed ? <ChartLegend lines={lines} /> : null}
    </div>
  );
}

const hasKeys = (charts: readonly QueryChart[]): boolean =>
  charts.some(({ chart }) => chart.series.some(({ keys }) => keys.length > 0));

/** In pixels, by the height of the widget: what the title, the times and the names of the lines leave. */
const PLOT_HEIGHTS: Readonly<Record<number, number>> & { 2: number } = { 1: 50, 2: 155, 3: 315, 4: 475 };
