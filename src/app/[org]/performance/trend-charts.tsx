import { RowsChart } from '#app/[org]/explore/rows/rows-chart.tsx';
import { RangeBarChart } from '#app/shell/range-bar-chart.tsx';
import type { ChartedRows } from '#product/explore/rows/explored-rows.ts';
import type { ChartMark } from '#ui/bar-chart.tsx';
import { Card } from '#ui/card.tsx';

/** As line charts have. */
const HEIGHT = 140;
const COLORS = { usual: 'var(--color-chart)', slow: 'var(--color-chart-2)', failed: 'var(--color-danger)' };

/** How many, how long and how many failed, over time; `trend` has `TREND_FUNCTIONS`. */
export function TrendCharts({
  trend: { series, range, bucketMs },
  unit,
  marks = [],
}: {
  trend: ChartedRows;
  /** What is counted, in the plural. */
  unit: string;
  marks?: readonly ChartMark[];
}) {
  const [counts = [], medians = [], slow = [], failures = []] = series[0]?.values ?? [];
  const time = { fromMs: range.bucketsFromMs, bucketMs };
  return (
    <div className="mb-3 grid gap-3 lg:grid-cols-3">
      <Card id="throughput" title="Throughput">
        <RangeBarChart
          label={`${unit.charAt(0).toUpperCase()}${unit.slice(1)}`}
          unit={unit}
          height={HEIGHT}
          {...time}
          marks={marks}
          series={[{ label: 'Count', values: counts.map((each) => each ?? 0), color: COLORS.usual }]}
        />
      </Card>
      <Card
        id="duration"
        title="Duration"
        actions={
          <ul aria-label="Lines of the chart" className="flex gap-3 text-text-muted text-xs">
            {[
              ['p50', COLORS.usual],
              ['p95', COLORS.slow],
            ].map(([label, color]) => (
              <li key={label} className="flex items-center gap-1.5">
                <span aria-hidden className="size-2 rounded-xs" style={{ background: color }} />
                {label}
              </li>
            ))}
          </ul>
        }
      >
        <RowsChart
          label="p50 and p95"
          unit={unit}
          type="duration"
          {...time}
          series={[
            { label: 'p95', values: slow, color: COLORS.slow },
            { label: 'p50', values: medians, color: COLORS.usual },
          ]}
        />
      </Card>
      <Card id="failures" title="Failure rate">
        <RowsChart
          label="Share that failed"
          unit={unit}
          type="percentage"
          {...time}
          series={[{ label: 'Failure rate', values: failures, color: COLORS.failed }]}
        />
      </Card>
    </div>
  );
}
