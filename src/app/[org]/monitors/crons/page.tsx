import { CalendarClock, SearchX } from 'lucide-react';
import type { Metadata } from 'next';
import { CursorPager, readListPage } from '#app/[org]/cursor-pager.tsx';
import { ListSearch } from '#app/[org]/list-search.tsx';
import { MonitorTabs } from '#app/[org]/monitors/monitor-tabs.tsx';
import { getRequestContext } from '#app/request-context.ts';
import { PageFilters } from '#app/shell/page-filters.tsx';
import { LoadError, Panel } from '#app/shell/panel.tsx';
import { type PageRequest, timeBounds, withQuery } from '#app/url-state.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { canChangeAlerts } from '#product/alerts/list-alert-rules.ts';
import type { Context } from '#product/context.ts';
import { getMonitorTimelines } from '#product/monitors/monitor-stats.ts';
import { listMonitors } from '#product/monitors/monitors.ts';
import { listEnvironments } from '#product/projects/list-project-summaries.ts';
import { chooseBucketMs } from '#product/time-buckets.ts';
import { listProjects } from '#product/visible-projects.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Page } from '#ui/page-header.tsx';
import { CronList } from './cron-list.tsx';
import { type CronsState, cronsHref, parseCronsState } from './crons-state.ts';
import { TimelineLegend } from './timeline-strip.tsx';

export const metadata: Metadata = { title: 'Cron monitors' };

const PAGE_MONITORS = 25;

/** Scheduled jobs: those in trouble first. */
export default async function CronsPage({ params, searchParams }: PageRequest<'org'>) {
  const { org } = await params;
  const requested = parseCronsState(await searchParams);
  const ctx = await getRequestContext(org);
  const projects = await listProjects(ctx);
  const known = requested.filters.projects.filter((slug) =>
    projects.some((project) => project.slug === slug),
  );
  const state = { ...requested, filters: { ...requested.filters, projects: known } };
  const [list, environments] = await Promise.all([
    orUnavailable(readCrons(ctx, state)),
    listEnvironments(ctx, known),
  ]);
  const newHref = withQuery(`/${org}/monitors/crons/new`, { project: known.length === 1 ? known : null });
  const canChange = canChangeAlerts(ctx);
  return (
    <Page
      title="Monitors"
      description="Get notified when a scheduled job fails, takes too long, or does not run."
      actions={
        canChange ? (
          <ButtonLink variant="primary" href={newHref}>
            Create monitor
          </ButtonLink>
        ) : null
      }
    >
      <MonitorTabs organizationSlug={org} current="crons" filters={state.filters} />
      <PageFilters
        filters={state.filters}
        projects={projects.map(({ slug, name, platform }) => ({ slug, name, platform }))}
        environments={environments}
      />
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <ListSearch label="Search monitors" placeholder="Search by name or slug" query={state.search} />
        <TimelineLegend />
      </div>
      {list.ok ? (
        <>
          <Panel>
            {list.value.rows.length > 0 ? (
              <CronList
                organizationSlug={org}
                monitors={list.value.rows}
                timelines={list.value.timelines}
                environments={state.filters.environments}
                now={ctx.now()}
              />
            ) : (
              <CronsEmpty organizationSlug={org} state={state} newHref={canChange ? newHref : null} />
            )}
          </Panel>
          <CursorPager
            hrefOf={(cursor) => cronsHref(org, state, { cursor })}
            cursor={state.cursor}
            nextCursor={list.value.nextCursor}
          />
        </>
      ) : (
        <LoadError what="monitors">{list.reason}</LoadError>
      )}
    </Page>
  );
}

/** The list is worth showing without its timelines, which are of another store. */
async function readCrons(ctx: Context, { filters, search, cursor }: CronsState) {
  const page = await readListPage(cursor, (from) =>
    listMonitors(ctx, {
      projectSlugs: filters.projects,
      environments: filters.environments,
      text: search,
      cursor: from,
      limit: PAGE_MONITORS,
    }),
  );
  const range = timeBounds(filters.time, ctx.now());
  const timelines = await orUnavailable(getMonitorTimelines(ctx, page.rows, range, chooseBucketMs(range)));
  return { ...page, timelines: timelines.ok ? timelines.value : null };
}

function CronsEmpty({
  organizationSlug,
  state,
  newHref,
}: {
  organizationSlug: string;
  state: CronsState;
  /** null for people who may not create one. */
  newHref: string | null;
}) {
  const { filters, search } = state;
  if (search !== '' || filters.environments.length > 0) {
    return (
      <EmptyState
        icon={<SearchX />}
        title="No matching monitors"
        actions={
          <ButtonLink
            href={cronsHref(organizationSlug, state, {
              search: '',
              filters: { ...filters, projects: [], environments: [] },
            })}
          >
            Show all monitors
          </ButtonLink>
        }
      />
    );
  }
  return (
    <EmptyState
      icon={<CalendarClock />}
      title="No cron monitors yet"
      actions={
        newHref === null ? null : (
          <ButtonLink variant="primary" href={newHref}>
            Create your first monitor
          </ButtonLink>
        )
      }
    >
      A monitor appears here when an SDK sends its first check-in, or when you create one and add a curl
      command to your job.
    </EmptyState>
  );
}
