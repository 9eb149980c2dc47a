import { Download, SearchX } from 'lucide-react';
import type { Metadata } from 'next';
import { Pager } from '#app/[org]/cursor-pager.tsx';
import { getRequestContext } from '#app/request-context.ts';
import { PageFilters } from '#app/shell/page-filters.tsx';
import { Panel } from '#app/shell/panel.tsx';
import { RangeBarChart } from '#app/shell/range-bar-chart.tsx';
import { filterEntries, type PageRequest } from '#app/url-state.ts';
import { listExploreFields } from '#product/explore/explore-fields.ts';
import type { ExploredTrend } from '#product/explore/explored-events.ts';
import { EXPORT_ROWS_MAX } from '#product/explore/export-explored-events.ts';
import { listEnvironments } from '#product/projects/list-project-summaries.ts';
import { listProjects } from '#product/visible-projects.ts';
import { buttonClass } from '#ui/button.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { formatCount, formatExact } from '#ui/format-number.ts';
import { Page } from '#ui/page-header.tsx';
import { ExploreTabs } from '../../explore-tabs.tsx';
import { QuestionProblem } from '../../question-problem.tsx';
import {
  type ExplorePlace,
  type ExploreState,
  exploreHref,
  exportHref,
  PAGE_ROWS,
  parseExploreState,
  questionOf,
} from '../explore-state.ts';
import { EventTable } from './event-table.tsx';
import { ExploreSearch, ExploreShape } from './explore-shape.tsx';
import { GroupTable } from './group-table.tsx';
import { type Exploration, readExploration } from './read-exploration.ts';

export const metadata: Metadata = { title: 'Explore errors' };

/** Ad-hoc questions over stored events. */
export default async function ExploreErrorsPage({ params, searchParams }: PageRequest<'org'>) {
  const { org } = await params;
  const requested = parseExploreState(await searchParams);
  const ctx = await getRequestContext(org);
  const question = await questionOf(ctx, requested);
  const { projectSlugs, range } = question;
  const state = { ...requested, filters: { ...requested.filters, projects: projectSlugs } };
  const [exploration, projects, environments, fields] = await Promise.all([
    readExploration(ctx, question, state),
    listProjects(ctx),
    listEnvironments(ctx, projectSlugs),
    listExploreFields(ctx, { projectSlugs, range }),
  ]);
  const place = { organizationSlug: org, state };
  const invalid = exploration.kind === 'invalid' ? exploration : null;
  const isShapeWrong =
    invalid !== null && ['column', 'group', 'sort', 'offset'].includes(invalid.field ?? '');
  return (
    <Page title="Explore errors" description="Search and aggregate your events.">
      <ExploreTabs organizationSlug={org} current="errors" entries={filterEntries(state.filters)} />
      <PageFilters
        filters={state.filters}
        projects={projects.map(({ slug, name, platform }) => ({ slug, name, platform }))}
        environments={environments}
        trailing={
          <a
            href={exportHref(org, state)}
            download
            title={`At most ${formatExact(EXPORT_ROWS_MAX)} rows`}
            className={buttonClass({})}
          >
            <Download aria-hidden className="size-4" />
            CSV
          </a>
        }
      />
      <ExploreSearch {...place} error={invalid && !isShapeWrong ? invalid.message : null} />
      {'trend' in exploration ? <Trend trend={exploration.trend} /> : null}
      <ExploreShape {...place} fields={fields} error={invalid && isShapeWrong ? invalid.message : null} />
      <Panel>
        <Answer {...place} exploration={exploration} now={ctx.now()} />
      </Panel>
      <ExplorePager {...place} exploration={exploration} />
    </Page>
  );
}

function Trend({ trend }: { trend: ExploredTrend }) {
  return (
    <Card className="mb-3">
      <div className="mb-3 flex flex-wrap gap-x-8 gap-y-2">
        <Figure value={trend.events} label={trend.events === 1 ? 'event' : 'events'} />
        <Figure value={trend.users} label={trend.users === 1 ? 'user' : 'users'} />
      </div>
      <RangeBarChart
        label="Events"
        unit="events"
        height={110}
        fromMs={trend.range.fromMs}
        bucketMs={trend.bucketMs}
        series={[{ label: 'Events', values: trend.buckets, color: 'var(--color-chart)' }]}
      />
    </Card>
  );
}

function Figure({ value, label }: { value: number; label: string }) {
  return (
    <p>
      <span className="numbers block font-semibold text-xl" title={formatExact(value)}>
        {formatCount(value)}
      </span>
      <span className="text-text-muted text-xs">{label}</span>
    </p>
  );
}

function Answer({
  exploration,
  now,
  ...place
}: ExplorePlace & {
  exploration: Exploration;
  now: number;
}) {
  switch (exploration.kind) {
    case 'unavailable':
    case 'invalid':
      return <QuestionProblem problem={exploration} />;
    case 'events':
      return exploration.rows.length === 0 ? (
        <NoMatches {...place} />
      ) : (
        <EventTable {...place} rows={exploration.rows} now={now} />
      );
    case 'groups':
      return exploration.groups.length === 0 ? (
        <NoMatches {...place} />
      ) : (
        <GroupTable
          {...place}
          field={exploration.field}
          groups={exploration.groups}
          total={exploration.trend.events}
          now={now}
        />
      );
  }
}

function NoMatches({ organizationSlug, state }: ExplorePlace) {
  const all = { filters: { projects: [], environments: [], time: { kind: 'last', period: '90d' } } } as const;
  return (
    <EmptyState
      icon={<SearchX />}
      title="No events match"
      actions={
        <>
          <ButtonLink href={exploreHref(organizationSlug, state, all)}>Search the last 90 days</ButtonLink>
          {state.query ? (
            <ButtonLink href={exploreHref(organizationSlug, state, { query: '' })}>Clear search</ButtonLink>
          ) : null}
        </>
      }
    >
      {state.query
        ? 'No events in the selected projects, environments, and time range match the search.'
        : 'There are no events for the selected projects and environments in this time range.'}
    </EmptyState>
  );
}

function ExplorePager({
  organizationSlug,
  state,
  exploration,
}: ExplorePlace & {
  exploration: Exploration;
}) {
  const isFirst = state.group === null ? state.cursor === null : state.offset === 0;
  const next = nextPage(state, exploration);
  return (
    <Pager
      firstHref={isFirst ? null : exploreHref(organizationSlug, state)}
      nextHref={next && exploreHref(organizationSlug, state, next)}
    >
      {exploration.kind === 'groups' ? (
        <span className="numbers mr-auto text-text-muted text-xs">
          {formatExact(state.offset + 1)}–{formatExact(state.offset + exploration.groups.length)} of{' '}
          {formatExact(exploration.distinct)} values
        </span>
      ) : null}
    </Pager>
  );
}

/** What changes with the next page; null after the last. */
function nextPage(state: ExploreState, exploration: Exploration): Partial<ExploreState> | null {
  if (exploration.kind === 'events' && exploration.nextCursor) return { cursor: exploration.nextCursor };
  if (exploration.kind === 'groups' && exploration.hasMore) return { offset: state.offset + PAGE_ROWS };
  return null;
}
