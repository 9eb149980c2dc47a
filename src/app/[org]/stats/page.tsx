import { ChartNoAxesColumn } from 'lucide-react';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Suspense } from 'react';
import { getRequestContext } from '#app/request-context.ts';
import { PageFilters } from '#app/shell/page-filters.tsx';
import { EmptyPanel } from '#app/shell/panel.tsx';
import { RangeBarChart } from '#app/shell/range-bar-chart.tsx';
import { filterEntries, type PageRequest, withQuery } from '#app/url-state.ts';
import type { Project } from '#domain/projects.ts';
import type { Context } from '#product/context.ts';
import { getServices } from '#product/services.ts';
import { getOutcomeSeries } from '#product/stats/get-outcome-series.ts';
import type { OutcomeSeries } from '#product/stats/outcome-store.ts';
import { listProjects } from '#product/visible-projects.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { formatCount, formatExact, formatShare } from '#ui/format-number.ts';
import { Page } from '#ui/page-header.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { TabLinks } from '#ui/tabs.tsx';
import { CATEGORY_LABELS, OUTCOME_APPEARANCE } from './outcome-labels.ts';
import { ReasonTable } from './reason-table.tsx';
import { categoryTotals, outcomeTotals, parseStatsView, reasonTotals, type StatsView } from './stats-view.ts';

export const metadata: Metadata = { title: 'Stats' };

export default async function StatsPage({ params, searchParams }: PageRequest<'org'>) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  const view = parseStatsView(await searchParams, getServices().now());
  const projects = await listProjects(ctx);
  // Before anything is sent, so that the answer can still be 404.
  if (view.filters.projects.some((slug) => !projects.some((project) => project.slug === slug))) notFound();
  const path = `/${org}/stats`;
  return (
    <Page
      title="Stats"
      description="Outcomes of all data sent to Errata. Each item has exactly one outcome with a reason."
    >
      <PageFilters
        filters={view.filters}
        projects={projects.map(({ slug, name, platform }) => ({ slug, name, platform }))}
        environments={null}
      />
      <Suspense
        key={withQuery(path, { ...filterEntries(view.filters), category: view.category })}
        fallback={<StatsSkeleton />}
      >
        <Outcomes ctx={ctx} view={view} path={path} startedMs={startOf(projects, view)} />
      </Suspense>
    </Page>
  );
}

/** When the oldest of the chosen projects was made: nothing could come before. */
function startOf(projects: readonly Project[], view: StatsView): number {
  const chosen = projects.filter(
    ({ slug }) => view.filters.projects.length === 0 || view.filters.projects.includes(slug),
  );
  return Math.min(...chosen.map((project) => project.createdAt));
}

async function Outcomes({
  ctx,
  view,
  path,
  startedMs,
}: {
  ctx: Context;
  view: StatsView;
  path: string;
  startedMs: number;
}) {
  const series = await getOutcomeSeries(ctx, {
    projectSlugs: view.filters.projects,
    range: view.range,
    bucketMs: view.bucketMs,
  });
  const categories = categoryTotals(series);
  if (categories.length === 0) return <NoData ctx={ctx} view={view} />;
  const category = view.category ?? defaultCategory(categories);
  return (
    <>
      <TabLinks
        label="Data categories"
        tabs={withCurrent(categories, category).map((each) => ({
          href: withQuery(path, {
            ...filterEntries(view.filters),
            category: each.category,
          }),
          label: CATEGORY_LABELS[each.category],
          count: formatCount(each.total),
          isCurrent: each.category === category,
        }))}
      />
      <CategoryStats series={series} view={view} category={category} startedMs={startedMs} />
    </>
  );
}

function NoData({ ctx, view }: { ctx: Context; view: StatsView }) {
  return (
    <EmptyPanel
      icon={<ChartNoAxesColumn />}
      title="No data in this time range"
      actions={<ButtonLink href={`/${ctx.organization.slug}/projects`}>View projects and DSNs</ButtonLink>}
    >
      No data was sent to{' '}
      {view.filters.projects.length === 0 ? 'your projects' : view.filters.projects.join(', ')}. Choose a
      longer time range, or set up an SDK with the project’s DSN.
    </EmptyPanel>
  );
}

type CategoryTotals = ReturnType<typeof categoryTotals>;
type Category = CategoryTotals[number]['category'];

function CategoryStats({
  series,
  view,
  category,
  startedMs,
}: {
  series: readonly OutcomeSeries[];
  view: StatsView;
  category: Category;
  startedMs: number;
}) {
  const bucketCount = Math.round((view.range.toMs - view.range.fromMs) / view.bucketMs);
  const outcomes = outcomeTotals(series, category, bucketCount).map((each) => ({
    ...each,
    ...OUTCOME_APPEARANCE[each.outcome],
  }));
  const total = outcomes.reduce((sum, each) => sum + each.total, 0);
  const unit = CATEGORY_LABELS[category].toLowerCase();
  return (
    <div className="flex flex-col gap-5 border-t pt-5">
      <Card>
        <dl className="mb-6 grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 lg:grid-cols-5">
          {outcomes.map(({ outcome, label, color, meaning, total: count }) => (
            <div key={outcome} title={meaning}>
              <dt className="flex items-center gap-1.5 text-text-muted text-xs">
                <span aria-hidden className="size-2.5 shrink-0 rounded-xs" style={{ background: color }} />
                {label}
              </dt>
              <dd className="numbers flex items-baseline gap-2" title={formatExact(count)}>
                <span className={`font-semibold text-xl ${count === 0 ? 'text-text-faint' : ''}`}>
                  {formatCount(count)}
                </span>
                <span className="text-text-muted text-xs">{formatShare(count, total)}</span>
              </dd>
            </div>
          ))}
        </dl>
        <RangeBarChart
          label={`${CATEGORY_LABELS[category]} by outcome`}
          unit={unit}
          height={180}
          fromMs={view.range.fromMs}
          bucketMs={view.bucketMs}
          noDataBeforeMs={startedMs}
          series={outcomes
            .filter((each) => each.total > 0)
            .map(({ label, buckets, color }) => ({ label, values: buckets, color }))}
        />
      </Card>
      <Card flush id="reasons" title="Reasons">
        <ReasonTable reasons={reasonTotals(series, category)} total={total} />
      </Card>
    </div>
  );
}

/** Errors when there are any: they are what most people come for. */
function defaultCategory(categories: CategoryTotals): Category {
  const hasErrors = categories.some((each) => each.category === 'error');
  return hasErrors ? 'error' : (categories[0]?.category ?? 'error');
}

/** The category of the URL stays among the tabs when nothing of it came. */
function withCurrent(categories: CategoryTotals, current: Category): CategoryTotals {
  const isListed = categories.some((each) => each.category === current);
  return isListed ? categories : [...categories, { category: current, total: 0 }];
}

/** The shape of the page while its numbers are on their way. */
function StatsSkeleton() {
  return (
    <div aria-busy>
      <Skeleton className="mb-1 h-8 w-56" />
      <div className="flex flex-col gap-5 border-t pt-5">
        <Card>
          <div className="mb-6 grid grid-cols-2 gap-6 sm:grid-cols-3 lg:grid-cols-5">
            {[0, 1, 2, 3, 4].map((figure) => (
              <Skeleton key={figure} className="h-11 w-24" />
            ))}
          </div>
          <Skeleton className="h-[180px] w-full" />
        </Card>
        <Card>
          <Skeleton className="h-24 w-full" />
        </Card>
      </div>
    </div>
  );
}
