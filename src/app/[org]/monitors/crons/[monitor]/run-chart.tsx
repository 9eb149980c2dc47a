import type { CheckInStatus, MonitorStats } from '#product/monitors/monitor-stats.ts';
import { BarChart } from '#ui/bar-chart.tsx';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { formatExact, formatShare } from '#ui/format-number.ts';
import { CHECK_IN_STATUSES } from '../check-in-status.tsx';

const STATUSES = (Object.keys(CHECK_IN_STATUSES) as CheckInStatus[]).toReversed();

/** Runs over time, by how they ended. */
export function RunChart({
  stats,
  fromMs,
  bucketMs,
}: {
  stats: MonitorStats;
  fromMs: number;
  bucketMs: number;
}) {
  const series = STATUSES.map((status) => ({
    label: CHECK_IN_STATUSES[status].label,
    color: CHECK_IN_STATUSES[status].color,
    values: stats.buckets.map(({ counts }) => counts[status] ?? 0),
  })).filter(
    ({ label, values }) => label === CHECK_IN_STATUSES.ok.label || values.some((value) => value > 0),
  );
  return (
    <BarChart label="Runs" unit="runs" series={series} fromMs={fromMs} bucketMs={bucketMs} height={120} />
  );
}

/** Success rate and average duration. */
export function RunFigures({ stats: { ok, ended, averageDurationMs } }: { stats: MonitorStats }) {
  return (
    <dl className="numbers flex flex-wrap gap-x-5 gap-y-1 text-sm">
      <div className="flex gap-1.5">
        <dt className="text-text-muted">Success rate</dt>
        <dd title={`${formatExact(ok)} of ${formatExact(ended)} runs`}>
          {ended === 0 ? '–' : formatShare(ok, ended)}
        </dd>
      </div>
      <div className="flex gap-1.5">
        <dt className="text-text-muted">Average duration</dt>
        <dd>{averageDurationMs === null ? '–' : formatElapsed(1_000 * averageDurationMs)}</dd>
      </div>
    </dl>
  );
}
