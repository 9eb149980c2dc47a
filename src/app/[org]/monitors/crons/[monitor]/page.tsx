import { CalendarClock, CircleCheck } from 'lucide-react';
import type { Metadata } from 'next';
import { CursorPager, readListPage } from '#app/[org]/cursor-pager.tsx';
import { getRequestContext } from '#app/request-context.ts';
import { PageFilters } from '#app/shell/page-filters.tsx';
import { LoadError } from '#app/shell/panel.tsx';
import { filterEntries, firstValue, type PageRequest, parsePageFilters, timeBounds } from '#app/url-state.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { visibleText } from '#lib/visible-text.ts';
import { canChangeAlerts } from '#product/alerts/list-alert-rules.ts';
import type { Context } from '#product/context.ts';
import { listIssues } from '#product/issues/list-issues.ts';
import { getMonitorStats } from '#product/monitors/monitor-stats.ts';
import { listCheckIns, type ProjectMonitor } from '#product/monitors/monitors.ts';
import { listProjectKeys } from '#product/projects/client-keys.ts';
import { alignRange, chooseBucketMs, type Range } from '#product/time-buckets.ts';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Page } from '#ui/page-header.tsx';
import { TimeZoneName } from '#ui/table-time.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { MonitorBadge } from '../check-in-status.tsx';
import { cronHref } from '../crons-state.ts';
import { loadMonitor } from '../load-monitor.ts';
import { CheckInTable } from './check-in-table.tsx';
import { EnvironmentTable } from './environment-table.tsx';
import { MonitorControls } from './monitor-controls.tsx';
import { MonitorFacts, MonitorNotices } from './monitor-facts.tsx';
import { PingSnippets } from './ping-snippets.tsx';
import { RunChart, RunFigures } from './run-chart.tsx';

type Props = PageRequest<'org' | 'monitor'>;

const PAGE_CHECK_INS = 50;
const ISSUES_SHOWN = 5;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { org, monitor } = await params;
  return { title: visibleText((await loadMonitor(await getRequestContext(org), monitor)).name) };
}

/** A scheduled job: how its runs went, and what is expected of it. */
export default async function CronPage({ params, searchParams }: Props) {
  const { org, monitor: id } = await params;
  const requested = await searchParams;
  const ctx = await getRequestContext(org);
  const monitor = await loadMonitor(ctx, id);
  const filters = parsePageFilters(requested);
  const cursor = firstValue(requested, 'cursor') || null;
  const bounds = timeBounds(filters.time, ctx.now());
  const bucketMs = chooseBucketMs(bounds);
  const range = alignRange(bounds, bucketMs);
  const { environments } = filters;
  const [stats, checkIns, issues, dsn] = await Promise.all([
    orUnavailable(getMonitorStats(ctx, monitor, { range, bucketMs, environments })),
    orUnavailable(readCheckIns(ctx, monitor, { environments, cursor, range })),
    orUnavailable(readIssues(ctx, monitor)),
    readDsn(ctx, monitor.project.slug),
  ]);
  const canChange = canChangeAlerts(ctx);
  const now = ctx.now();
  const { schedule } = monitor;
  return (
    <Page
      title={
        <span className="flex flex-wrap items-center gap-2.5">
          <bdi className="break-anything min-w-0">{visibleText(monitor.name)}</bdi>
          <MonitorBadge rank={monitor.rank} />
        </span>
      }
      description={`Cron monitor for ${monitor.project.name}`}
      actions={
        canChange ? (
          <MonitorControls
            organizationSlug={org}
            monitor={{
              id: monitor.id,
              name: visibleText(monitor.name),
              isMuted: monitor.isMuted,
              isDisabled: monitor.isDisabled,
            }}
          />
        ) : null
      }
    >
      <MonitorNotices monitor={monitor} />
      <PageFilters
        filters={{ ...filters, projects: [] }}
        projects={null}
        environments={monitor.environments.map(({ name }) => name)}
      />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(260px,20rem)]">
        <div className="flex min-w-0 flex-col gap-5">
          {stats.ok ? (
            <Card id="runs" title="Runs" actions={<RunFigures stats={stats.value} />}>
              <RunChart stats={stats.value} fromMs={range.fromMs} bucketMs={bucketMs} />
            </Card>
          ) : (
            <LoadError what="the runs">{stats.reason}</LoadError>
          )}
          {monitor.environments.length > 0 ? (
            <Card
              flush
              id="environments"
              title={
                <>
                  Environments <TimeZoneName className="font-normal text-text-muted text-xs" />
                </>
              }
            >
              <EnvironmentTable organizationSlug={org} monitor={monitor} canChange={canChange} now={now} />
            </Card>
          ) : null}
          <Card
            flush
            id="check-ins"
            title={
              <>
                Check-ins <TimeZoneName className="font-normal text-text-muted text-xs" />
              </>
            }
          >
            {!checkIns.ok ? (
              <LoadError what="check-ins">{checkIns.reason}</LoadError>
            ) : checkIns.value.rows.length > 0 ? (
              <CheckInTable organizationSlug={org} checkIns={checkIns.value.rows} />
            ) : (
              <EmptyState icon={<CalendarClock />} title="No check-ins">
                {monitor.environments.length === 0
                  ? 'Nothing can be missed before the first check-in. Add one of the snippets to your job.'
                  : 'Check the environments and the time range.'}
              </EmptyState>
            )}
          </Card>
          <CursorPager
            path={cronHref(org, monitor.id)}
            entries={filterEntries({ ...filters, projects: [] })}
            cursor={cursor}
            nextCursor={checkIns.ok ? checkIns.value.nextCursor : null}
          />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <Card id="monitor" title="Monitor details">
            <MonitorFacts monitor={monitor} now={now} />
          </Card>
          <Card id="issues" title="Issues" flush={issues.ok && issues.value.length > 0}>
            {!issues.ok ? (
              <p className="text-sm text-text-muted">{issues.reason}</p>
            ) : issues.value.length === 0 ? (
              <p className="flex items-center gap-2 text-sm text-text-muted">
                <CircleCheck aria-hidden className="size-4 text-success" />
                No issues of this monitor
              </p>
            ) : (
              <ul className="divide-y">
                {issues.value.map(({ shortId, title, status }) => (
                  <li key={shortId} className="px-4 py-2.5 text-sm">
                    <TextLink href={`/${org}/issues/${shortId}`}>{shortId}</TextLink>{' '}
                    <span className="text-text-muted">{status}</span>
                    <p className="break-anything mt-0.5 text-text-muted text-xs">
                      <bdi>{visibleText(title)}</bdi>
                    </p>
                  </li>
                ))}
              </ul>
            )}
          </Card>
          <PingSnippets
            slug={monitor.slug}
            dsn={dsn}
            crontab={schedule?.type === 'crontab' ? schedule.value : null}
          />
        </div>
      </div>
    </Page>
  );
}

const readCheckIns = (
  ctx: Context,
  monitor: ProjectMonitor,
  { environments, cursor, range }: { environments: readonly string[]; cursor: string | null; range: Range },
) =>
  readListPage(cursor, (from) =>
    listCheckIns(ctx, {
      projectSlug: monitor.project.slug,
      monitorSlug: monitor.slug,
      environments,
      range,
      cursor: from,
      limit: PAGE_CHECK_INS,
    }),
  );

/** The last seen first. */
async function readIssues(ctx: Context, monitor: ProjectMonitor) {
  const { issues } = await listIssues(ctx, {
    query: `issue.category:cron monitor.id:${monitor.guid}`,
    projectSlugs: [monitor.project.slug],
    sort: 'date',
    range: null,
    cursor: null,
    limit: ISSUES_SHOWN,
    withActivity: false,
  });
  return issues;
}

async function readDsn(ctx: Context, projectSlug: string): Promise<string | null> {
  const keys = await orUnavailable(listProjectKeys(ctx, projectSlug));
  return keys.ok ? (keys.value.find(({ isActive }) => isActive)?.dsn ?? null) : null;
}
