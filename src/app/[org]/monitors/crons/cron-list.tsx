import { visibleText } from '#lib/visible-text.ts';
import { describeSchedule } from '#product/monitors/describe-schedule.ts';
import type { MonitorEnvironment } from '#product/monitors/monitor.ts';
import type { MonitorTimelines } from '#product/monitors/monitor-stats.ts';
import type { ProjectMonitor } from '#product/monitors/monitors.ts';
import { Badge } from '#ui/badge.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime, TimeUntil } from '#ui/relative-time.tsx';
import { MonitorBadge } from './check-in-status.tsx';
import { cronHref } from './crons-state.ts';
import { TimelineStrip } from './timeline-strip.tsx';

/** Environments of one monitor in the list; its page has all. */
const ENVIRONMENTS_SHOWN = 5;

/** Cron monitors, each with how its runs went in its environments. */
export function CronList({
  organizationSlug,
  monitors,
  timelines,
  environments,
  now,
}: {
  organizationSlug: string;
  monitors: readonly ProjectMonitor[];
  /** null when they could not be read. */
  timelines: MonitorTimelines | null;
  /** Of these only; empty for all. */
  environments: readonly string[];
  now: number;
}) {
  return (
    <ul aria-label="Cron monitors" className="divide-y">
      {monitors.map((monitor) => {
        const { id, name, project, owner } = monitor;
        const shown = monitor.environments.filter(
          (environment) => environments.length === 0 || environments.includes(environment.name),
        );
        return (
          <li
            key={id}
            className="grid gap-x-6 gap-y-2 px-4 py-3 transition-colors hover:bg-surface-hover lg:grid-cols-[minmax(0,20rem)_minmax(0,1fr)]"
          >
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-2">
                <Link
                  href={cronHref(organizationSlug, id)}
                  className="break-anything font-medium text-sm text-text no-underline hover:underline"
                >
                  <bdi>{visibleText(name)}</bdi>
                </Link>
                <MonitorBadge rank={monitor.rank} />
              </p>
              <p className="break-anything mt-0.5 text-text-muted text-xs">
                <bdi className={monitor.schedule?.type === 'crontab' ? 'mono' : undefined}>
                  {visibleText(describeSchedule(monitor))}
                </bdi>
                {' · '}
                <bdi>{project.slug}</bdi>
                {owner ? (
                  <>
                    {' · '}Owner: <bdi>{visibleText(owner.name)}</bdi>
                  </>
                ) : null}
              </p>
            </div>
            <div className="flex min-w-0 flex-col gap-1.5">
              {shown.length === 0 ? (
                <p className="text-text-muted text-xs">No check-ins yet</p>
              ) : (
                shown.slice(0, ENVIRONMENTS_SHOWN).map((environment) => (
                  <EnvironmentLine
                    key={environment.id}
                    environment={environment}
                    // The monitor says the same of its only one.
                    hasMark={monitor.environments.length > 1}
                    buckets={
                      timelines?.timelines.find(
                        (each) => each.monitorId === id && each.environment === environment.name,
                      )?.buckets ?? []
                    }
                    now={now}
                  />
                ))
              )}
              {shown.length > ENVIRONMENTS_SHOWN ? (
                <p className="text-text-muted text-xs">
                  {shown.length - ENVIRONMENTS_SHOWN} more environments
                </p>
              ) : null}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function EnvironmentLine({
  environment,
  hasMark,
  buckets,
  now,
}: {
  environment: MonitorEnvironment;
  hasMark: boolean;
  buckets: MonitorTimelines['timelines'][number]['buckets'];
  now: number;
}) {
  const { name, nextExpectedAt, lastCheckInAt } = environment;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 sm:grid-cols-[10rem_minmax(0,1fr)_12rem]">
      <span className="flex min-w-0 items-center gap-1.5 text-xs">
        <bdi className="truncate" title={visibleText(name)}>
          {visibleText(name)}
        </bdi>
        {hasMark ? <EnvironmentMark environment={environment} /> : null}
      </span>
      <span className="order-last col-span-2 min-w-0 sm:order-none sm:col-span-1">
        {buckets.length > 0 ? (
          <TimelineStrip label={name} buckets={buckets} />
        ) : (
          <span className="text-text-faint text-xs">No check-ins in this time</span>
        )}
      </span>
      <span className="numbers whitespace-nowrap text-right text-text-muted text-xs">
        {nextExpectedAt !== null && nextExpectedAt > now ? (
          <>
            Next <TimeUntil at={nextExpectedAt} now={now} />
          </>
        ) : lastCheckInAt !== null ? (
          <>
            Last <RelativeTime at={lastCheckInAt} now={now} />
          </>
        ) : null}
      </span>
    </div>
  );
}

/** What sets an environment apart from the whole monitor. */
export function EnvironmentMark({ environment }: { environment: MonitorEnvironment }) {
  if (environment.isDisabled) return <Badge>Disabled</Badge>;
  if (environment.isMuted) return <Badge>Muted</Badge>;
  if (environment.incidentId !== null) return <Badge tone="danger">Failing</Badge>;
  return null;
}
