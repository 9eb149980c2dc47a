import { formatDuration } from '#domain/uptime/format-duration.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { UptimeHistory, UptimePeriod } from '#product/uptime/uptime-history.ts';
import type { ProjectUptimeMonitor } from '#product/uptime/uptime-monitors.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { HistoryStrip } from './history-strip.tsx';
import { StateBadge } from './state-badge.tsx';
import { formatUptime, PERIOD_LABELS } from './uptime-labels.ts';

/** Monitors with their state, history, availability and response time. */
export function MonitorList({
  organizationSlug,
  rows,
  histories,
  period,
  now,
}: {
  organizationSlug: string;
  rows: readonly ProjectUptimeMonitor[];
  /** null when the analytic store does not answer. */
  histories: ReadonlyMap<number, UptimeHistory> | null;
  period: UptimePeriod;
  now: number;
}) {
  return (
    <>
      <div
        aria-hidden
        className="hidden items-center gap-x-5 border-b px-4 py-2 font-medium text-text-muted text-xs sm:grid sm:grid-cols-[minmax(0,1fr)_minmax(120px,260px)_5rem_5rem]"
      >
        <span>Monitor</span>
        <span>{PERIOD_LABELS[period]}</span>
        <span className="text-right">Available</span>
        <span className="text-right">Average</span>
      </div>
      <ul aria-label="Uptime monitors" className="divide-y">
        {rows.map(({ monitor, project }) => {
          const history = histories?.get(monitor.id) ?? null;
          return (
            <li
              key={monitor.id}
              className="relative grid items-center gap-x-5 gap-y-1.5 px-4 py-2.5 hover:bg-surface-hover sm:grid-cols-[minmax(0,1fr)_minmax(120px,260px)_5rem_5rem]"
            >
              <div className="min-w-0">
                <p className="flex min-w-0 items-center gap-2 text-sm">
                  <Link
                    href={`/${organizationSlug}/monitors/uptime/${monitor.id}`}
                    className="min-w-0 truncate font-semibold after:absolute after:inset-0"
                  >
                    <bdi>{visibleText(monitor.name)}</bdi>
                  </Link>
                  <StateBadge state={monitor.isEnabled ? monitor.state : 'paused'} />
                </p>
                <p className="truncate text-text-muted text-xs">
                  <bdi>{visibleText(monitor.url)}</bdi>
                  {' · '}
                  <bdi>{project.slug}</bdi>
                  {monitor.lastCheckedAt === null ? null : (
                    <>
                      {' · checked '}
                      <RelativeTime at={monitor.lastCheckedAt} now={now} />
                    </>
                  )}
                </p>
                {monitor.isEnabled && monitor.lastProblem !== null ? (
                  <p className="truncate text-danger text-xs">
                    <bdi>{visibleText(monitor.lastProblem)}</bdi>
                  </p>
                ) : null}
              </div>
              {history ? (
                <HistoryStrip
                  cells={history.cells}
                  label={PERIOD_LABELS[period]}
                  availability={history.availability}
                />
              ) : (
                <span />
              )}
              <p className="numbers text-sm sm:text-right">
                {formatUptime(history?.availability ?? null)}
                <span className="text-text-muted text-xs sm:sr-only"> available</span>
              </p>
              <p className="numbers text-sm text-text-muted sm:text-right">
                {history && history.averageMs !== null ? formatDuration(history.averageMs) : '—'}
                <span className="text-xs sm:sr-only"> on average</span>
              </p>
            </li>
          );
        })}
      </ul>
    </>
  );
}
