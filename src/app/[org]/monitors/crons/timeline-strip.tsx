import type { CheckInStatus, MonitorTimeline } from '#product/monitors/monitor-stats.ts';
import { formatExact } from '#ui/format-number.ts';
import { CHECK_IN_STATUSES } from './check-in-status.tsx';

const STATUSES = Object.keys(CHECK_IN_STATUSES) as CheckInStatus[];
const HEIGHT = 20;
/** Trouble stands out by its height as well as by its color. */
const HEIGHTS: Readonly<Record<CheckInStatus, number>> = {
  error: 20,
  timeout: 20,
  missed: 20,
  unknown: 6,
  in_progress: 12,
  ok: 12,
};

/** The worst status of each bucket, as one path for each status. */
export function TimelineStrip({ label, buckets }: { label: string; buckets: MonitorTimeline['buckets'] }) {
  const worst = buckets.map((counts) => STATUSES.find((status) => (counts[status] ?? 0) > 0) ?? null);
  return (
    <svg
      role="img"
      aria-label={`${label}: ${describe(buckets)}`}
      viewBox={`0 0 ${buckets.length * 10} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-5 w-full"
    >
      <title>{describe(buckets)}</title>
      <path d={`M0 ${HEIGHT - 0.5}h${buckets.length * 10}`} stroke="var(--color-border)" />
      {STATUSES.map((status) => {
        const path = worst
          .map((each, index) =>
            each === status ? `M${index * 10 + 1} ${HEIGHT}v${-HEIGHTS[status]}h8v${HEIGHTS[status]}z` : '',
          )
          .join('');
        return path === '' ? null : <path key={status} d={path} fill={CHECK_IN_STATUSES[status].color} />;
      })}
    </svg>
  );
}

/** `40 OK, 1 missed`. */
function describe(buckets: MonitorTimeline['buckets']): string {
  const totals = STATUSES.toReversed().flatMap((status) => {
    const total = buckets.reduce((sum, counts) => sum + (counts[status] ?? 0), 0);
    const { label } = CHECK_IN_STATUSES[status];
    return total === 0 ? [] : [`${formatExact(total)} ${status === 'ok' ? label : label.toLowerCase()}`];
  });
  return totals.join(', ') || 'no check-ins';
}

/** What the colors of strips mean. */
export function TimelineLegend() {
  return (
    <ul aria-label="Legend" className="flex flex-wrap gap-x-4 gap-y-1 text-text-muted text-xs">
      {STATUSES.toReversed().map((status) => (
        <li key={status} className="flex items-center gap-1.5">
          <span
            aria-hidden
            className="inline-block w-2 rounded-xs"
            style={{ height: HEIGHTS[status] * 0.7, background: CHECK_IN_STATUSES[status].color }}
          />
          {CHECK_IN_STATUSES[status].label}
        </li>
      ))}
    </ul>
  );
}
