import { DatabaseZap, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { PageFilters } from '#app/shell/page-filters.tsx';
import { EmptyPanel } from '#app/shell/panel.tsx';
import { filterEntries, withQuery } from '#app/url-state.ts';
import type { Context } from '#product/context.ts';
import { listEnvironments } from '#product/projects/list-project-summaries.ts';
import { listProjects } from '#product/visible-projects.ts';
import { Page } from '#ui/page-header.tsx';
import { ReloadButton } from '#ui/reload-button.tsx';
import { TabLinks } from '#ui/tabs.tsx';
import { PerformanceSearchBox } from './performance-search-box.tsx';
import { PERFORMANCE_TABS, type PerformancePlace } from './performance-state.ts';
import type { PerformanceAnswer } from './read-performance.ts';

/** A page of the section: its tabs, filters and search; `show` is called with what was found. */
export async function PerformanceFrame<T>({
  ctx,
  place,
  answer,
  show,
}: {
  ctx: Context;
  place: PerformancePlace;
  answer: PerformanceAnswer<T>;
  show: (found: T) => ReactNode;
}) {
  const { organizationSlug, tab, state } = place;
  const { filters, query } = state;
  const projects = await listProjects(ctx);
  const known = filters.projects.filter((slug) => projects.some((project) => project.slug === slug));
  const environments = await listEnvironments(ctx, known);
  return (
    <Page title="Performance" description="How fast your projects answer, and where the time goes.">
      <div className="-mt-2 mb-4 border-b">
        <TabLinks
          label="Performance"
          tabs={PERFORMANCE_TABS.map(({ tab: each, label, path }) => ({
            href: withQuery(`/${organizationSlug}/performance${path}`, filterEntries(filters)),
            label,
            isCurrent: each === tab,
          }))}
        />
      </div>
      <PageFilters
        filters={filters}
        projects={projects.map(({ slug, name, platform }) => ({ slug, name, platform }))}
        environments={environments}
      />
      <PerformanceSearchBox
        organizationSlug={organizationSlug}
        filters={filters}
        query={query}
        error={queryError(answer)}
      />
      <PerformanceFound answer={answer} show={show} />
    </Page>
  );
}

/** What is wrong with the search; null when nothing is. */
export const queryError = (answer: PerformanceAnswer<unknown>): string | null =>
  answer.kind === 'invalid' && answer.field === 'query' ? answer.message : null;

/** What was found, or why nothing could be. */
export function PerformanceFound<T>({
  answer,
  show,
}: {
  answer: PerformanceAnswer<T>;
  show: (found: T) => ReactNode;
}) {
  switch (answer.kind) {
    case 'found':
      return show(answer.value);
    case 'invalid':
      return (
        <EmptyPanel icon={<SearchX />} title="This query can’t be run">
          {answer.field === 'query' ? 'See the message above for what to change.' : answer.message}
        </EmptyPanel>
      );
    case 'unavailable':
      return (
        <EmptyPanel
          icon={<DatabaseZap />}
          tone="danger"
          title="The event store is unavailable"
          actions={<ReloadButton />}
        >
          No data is lost. Events are still being accepted. ({answer.reason})
        </EmptyPanel>
      );
  }
}
