import type { Metadata } from 'next';
import { CursorPager, readListPage } from '#app/[org]/cursor-pager.tsx';
import { getRequestContext } from '#app/request-context.ts';
import { LoadError } from '#app/shell/panel.tsx';
import { firstValue, type SearchParams, withQuery } from '#app/url-state.ts';
import type { UptimeIncident } from '#domain/uptime/incident.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { visibleText } from '#lib/visible-text.ts';
import {
  getUptimeHistories,
  listUptimeChecks,
  listUptimeIncidents,
  UPTIME_PERIODS,
  type UptimePeriod,
} from '#product/uptime/uptime-history.ts';
import { canChangeUptime } from '#product/uptime/uptime-monitors.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { formatDuration } from '#ui/format-time.ts';
import { Notice } from '#ui/notice.tsx';
import { Page } from '#ui/page-header.tsx';
import { ExactTime } from '#ui/relative-time.tsx';
import { TabLinks } from '#ui/tabs.tsx';
import { HistoryStrip } from '../history-strip.tsx';
import { loadMonitor } from '../load-monitor.ts';
import { StateBadge } from '../state-badge.tsx';
import { formatUptime, isUptimePeriod, PERIOD_LABELS } from '../uptime-labels.ts';
import { ChecksTable } from './checks-table.tsx';
import { MonitorControls } from './monitor-controls.tsx';
import { MonitorFacts } from './monitor-facts.tsx';
import { ResponseChart } from './response-chart.tsx';

type Props = { params: Promise<{ org: string; monitor: string }>; searchParams: Promise<SearchParams> };

const PAGE_CHECKS = 25;
const PERIODS = Object.keys(UPTIME_PERIODS) as UptimePeriod[];

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { org, monitor: number } = await params;
  const { monitor } = await loadMonitor(org, number);
  return { title: visibleText(monitor.name) };
}

/** How one monitor was: availability, response times, incidents and checks. */
export default async function UptimeMonitorPage({ params, searchParams }: Props) {
  const { org, monitor: number } = await params;
  const requested = await searchParams;
  const asked = firstValue(requested, 'period');
  const period = isUptimePeriod(asked) ? asked : '24h';
  const cursor = firstValue(requested, 'cursor') || null;
  const isFailuresOnly = firstValue(requested, 'checks') === 'failures';
  const ctx = await getRequestContext(org);
  const { monitor, project } = await loadMonitor(org, number);
  const [histories, incidents, checks] = await Promise.all([
    orUnavailable(Promise.all(PERIODS.map((each) => getUptimeHistories(ctx, [monitor], each)))),
    listUptimeIncidents(ctx, monitor.id),
    orUnavailable(
      readListPage(cursor, (from) =>
        listUptimeChecks(ctx, {
          monitorId: monitor.id,
          cursor: from,
          limit: PAGE_CHECKS,
          status: isFailuresOnly ? 'failure' : null,
        }),
      ),
    ),
  ]);
  const historyOf = (each: UptimePeriod) =>
    histories.ok ? (histories.value[PERIODS.indexOf(each)]?.get(monitor.id) ?? null) : null;
  const history = historyOf(period);
  const now = ctx.now();
  const path = `/${org}/monitors/uptime/${monitor.id}`;
  const periodEntry = period === '24h' ? null : period;
  const issuesHref = withQuery(`/${org}/issues`, {
    query: `issue.category:outage monitor.id:${monitor.id}`,
    range: '90d',
  });
  const checksEntry = isFailuresOnly ? 'failures' : null;
  return (
    <Page
      title={
        <span className="flex flex-wrap items-center gap-2.5">
          <bdi className="break-anything min-w-0">{visibleText(monitor.name)}</bdi>
          <StateBadge state={monitor.isEnabled ? monitor.state : 'paused'} />
        </span>
      }
      description={<bdi className="break-anything">{visibleText(monitor.url)}</bdi>}
      actions={
        canChangeUptime(ctx) ? (
          <MonitorControls
            organizationSlug={org}
            monitor={{ id: monitor.id, name: visibleText(monitor.name), isEnabled: monitor.isEnabled }}
          />
        ) : null
      }
    >
      <div className="flex flex-col gap-5">
        {monitor.isEnabled && monitor.lastProblem !== null ? (
          <Notice
            tone={monitor.state === 'down' ? 'danger' : 'warning'}
            title="The last check did not succeed"
          >
            <bdi>{visibleText(monitor.lastProblem)}</bdi>
          </Notice>
        ) : null}
        {histories.ok ? (
          <Availability
            path={path}
            checks={checksEntry}
            period={period}
            shares={PERIODS.map((each) => ({ period: each, share: historyOf(each)?.availability ?? null }))}
          />
        ) : (
          <LoadError what="the history">{histories.reason}</LoadError>
        )}
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(280px,22rem)]">
          <div className="flex min-w-0 flex-col gap-5">
            {history ? (
              <Card id="response-time" title={`Response time, ${PERIOD_LABELS[period].toLowerCase()}`}>
                <div className="mb-4 pl-16">
                  <HistoryStrip
                    cells={history.cells}
                    label={PERIOD_LABELS[period]}
                    availability={history.availability}
                  />
                </div>
                <ResponseChart
                  fromMs={history.fromMs}
                  bucketMs={history.bucketMs}
                  averages={history.cells.map(({ averageMs }) => averageMs)}
                  p95s={history.cells.map(({ p95Ms }) => p95Ms)}
                />
              </Card>
            ) : null}
            <Card
              flush
              id="incidents"
              title="Incidents"
              actions={
                <ButtonLink size="sm" href={issuesHref}>
                  Issues
                </ButtonLink>
              }
            >
              {incidents.length > 0 ? (
                <IncidentList incidents={incidents} now={now} />
              ) : (
                <p className="p-4 text-sm text-text-muted">No incidents in the last 90 days.</p>
              )}
            </Card>
          </div>
          <Card id="monitor" title="Monitor">
            <MonitorFacts monitor={monitor} projectName={project.name} />
          </Card>
        </div>
        <Card
          flush
          id="checks"
          title="Checks"
          actions={
            <TabLinks
              label="Which checks"
              tabs={[
                {
                  href: withQuery(path, { period: periodEntry }),
                  label: 'All',
                  isCurrent: !isFailuresOnly,
                },
                {
                  href: withQuery(path, { period: periodEntry, checks: 'failures' }),
                  label: 'Failures',
                  isCurrent: isFailuresOnly,
                },
              ]}
            />
          }
        >
          {!checks.ok ? (
            <div className="p-4">
              <LoadError what="the checks">{checks.reason}</LoadError>
            </div>
          ) : checks.value.rows.length > 0 ? (
            <ChecksTable organizationSlug={org} checks={checks.value.rows} />
          ) : (
            <p className="p-4 text-sm text-text-muted">
              {isFailuresOnly ? 'No check failed.' : 'No checks yet. The first one follows within seconds.'}
            </p>
          )}
        </Card>
        <CursorPager
          path={path}
          entries={{ period: periodEntry, checks: checksEntry }}
          cursor={cursor}
          nextCursor={checks.ok ? checks.value.nextCursor : null}
        />
      </div>
    </Page>
  );
}

/** The availability by range; each leads to its history. */
function Availability({
  path,
  checks,
  period,
  shares,
}: {
  path: string;
  checks: string | null;
  period: UptimePeriod;
  shares: readonly { period: UptimePeriod; share: number | null }[];
}) {
  return (
    <TabLinks
      label="Availability"
      tabs={shares.map(({ period: each, share }) => ({
        href: withQuery(path, { period: each === '24h' ? null : each, checks }),
        label: PERIOD_LABELS[each],
        count: formatUptime(share),
        isCurrent: each === period,
      }))}
    />
  );
}

/** When a monitor was down or its certificate about to expire, and why. */
function IncidentList({ incidents, now }: { incidents: readonly UptimeIncident[]; now: number }) {
  return (
    <ul aria-label="Incidents" className="divide-y">
      {incidents.map(({ id, kind, startedAt, endedAt, evidence }) => (
        <li key={id} className="px-4 py-2.5 text-sm">
          <p className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="font-medium">{kind === 'downtime' ? 'Down' : 'Certificate expires soon'}</span>
            <span className="text-text-muted text-xs">
              <ExactTime at={startedAt} />
              {endedAt === null
                ? `, ongoing for ${formatDuration(now - startedAt)}`
                : `, for ${formatDuration(endedAt - startedAt)}`}
            </span>
          </p>
          <p className="break-anything text-text-muted">
            <bdi>{visibleText(evidence.detail)}</bdi>
          </p>
        </li>
      ))}
    </ul>
  );
}
