import { Globe } from 'lucide-react';
import type { Metadata } from 'next';
import { CursorPager, readListPage } from '#app/[org]/cursor-pager.tsx';
import { MonitorTabs } from '#app/[org]/monitors/monitor-tabs.tsx';
import { getRequestContext } from '#app/request-context.ts';
import { PageFilters } from '#app/shell/page-filters.tsx';
import { LoadError, Panel } from '#app/shell/panel.tsx';
import { firstValue, type PageRequest, parsePageFilters, withQuery } from '#app/url-state.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { getUptimeHistories, type UptimePeriod } from '#product/uptime/uptime-history.ts';
import { canChangeUptime, listUptimeMonitors } from '#product/uptime/uptime-monitors.ts';
import { listProjects } from '#product/visible-projects.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Page } from '#ui/page-header.tsx';
import { TabLinks } from '#ui/tabs.tsx';
import { HostSuggestions } from './host-suggestions.tsx';
import { MonitorList } from './monitor-list.tsx';
import { isUptimePeriod, PERIOD_LABELS } from './uptime-labels.ts';

export const metadata: Metadata = { title: 'Uptime' };

const PAGE_MONITORS = 50;
const PERIODS: readonly UptimePeriod[] = ['24h', '90d'];

/** What is requested at an interval, and how it was. */
export default async function UptimePage({ params, searchParams }: PageRequest<'org'>) {
  const { org } = await params;
  const requested = await searchParams;
  const asked = firstValue(requested, 'period');
  const period = isUptimePeriod(asked) ? asked : '24h';
  const cursor = firstValue(requested, 'cursor') || null;
  const ctx = await getRequestContext(org);
  const projects = await listProjects(ctx);
  const filters = parsePageFilters(requested);
  const chosen = filters.projects.filter((slug) => projects.some((project) => project.slug === slug));
  const { rows, nextCursor } = await readListPage(cursor, (from) =>
    listUptimeMonitors(ctx, { projectSlugs: chosen, cursor: from, limit: PAGE_MONITORS }),
  );
  const histories = await orUnavailable(
    getUptimeHistories(
      ctx,
      rows.map(({ monitor }) => monitor),
      period,
    ),
  );
  const path = `/${org}/monitors/uptime`;
  const canChange = canChangeUptime(ctx);
  const hrefOf = (entries: { period?: UptimePeriod; cursor?: string | null }) =>
    withQuery(path, { project: chosen, period: period === '24h' ? null : period, ...entries });
  return (
    <Page
      title="Monitors"
      description="Get notified when a URL is down, slow to respond, or answers something unexpected."
      actions={
        <>
          <ButtonLink href={`${path}/status-page`}>Status page</ButtonLink>
          {canChange ? (
            <ButtonLink variant="primary" href={`${path}/new`}>
              Create monitor
            </ButtonLink>
          ) : null}
        </>
      }
    >
      <MonitorTabs organizationSlug={org} current="uptime" filters={{ ...filters, projects: chosen }} />
      <PageFilters
        filters={{ ...filters, projects: chosen }}
        projects={projects.map(({ slug, name, platform }) => ({ slug, name, platform }))}
        environments={null}
        hasTime={false}
      />
      {histories.ok ? null : <LoadError what="the history">{histories.reason}</LoadError>}
      {rows.length > 0 ? (
        <>
          <div className="mb-2">
            <TabLinks
              label="History"
              tabs={PERIODS.map((each) => ({
                href: hrefOf({ period: each }),
                label: PERIOD_LABELS[each],
                isCurrent: each === period,
              }))}
            />
          </div>
          <Panel>
            <MonitorList
              organizationSlug={org}
              rows={rows}
              histories={histories.ok ? histories.value : null}
              period={period}
              now={ctx.now()}
            />
          </Panel>
        </>
      ) : (
        <Panel>
          <EmptyState
            icon={<Globe />}
            title={chosen.length > 0 ? 'No uptime monitors in these projects' : 'No uptime monitors yet'}
            actions={
              canChange ? (
                <ButtonLink variant="primary" href={`${path}/new`}>
                  Create your first monitor
                </ButtonLink>
              ) : null
            }
          >
            A monitor requests a URL every minute, or as often as you choose, and opens an issue when it is
            down, does not respond in time, or its certificate is about to expire.
          </EmptyState>
        </Panel>
      )}
      <CursorPager hrefOf={(to) => hrefOf({ cursor: to })} cursor={cursor} nextCursor={nextCursor} />
      {canChange ? <HostSuggestions organizationSlug={org} ctx={ctx} /> : null}
    </Page>
  );
}
