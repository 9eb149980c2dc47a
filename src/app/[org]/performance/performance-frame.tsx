import type { ReactNode } from 'react';
import { PageFilters } from '#app/shell/page-filters.tsx';
import { Panel } from '#app/shell/panel.tsx';
import { filterEntries, withQuery } from '#app/url-state.ts';
import type { Context } from '#product/context.ts';
import { listEnvironments } from '#product/projects/list-project-summaries.ts';
import { listProjects } from '#product/visible-projects.ts';
import { Page } from '#ui/page-header.tsx';
import { TabLinks } from '#ui/tabs.tsx';
import { QuestionProblem } from '../question/question-problem.tsx';
import type { QuestionAnswer } from '../question/read-answer.ts';
import { PageSearchBox } from '../search-box/page-search-box.tsx';
import { PERFORMANCE_TABS, type PerformancePlace } from './performance-state.ts';

/** A page of the section: its tabs, filters and search; `show` is called with what was found. */
export async function PerformanceFrame<T>({
  ctx,
  place,
  answer,
  show,
}: {
  ctx: Context;
  place: PerformancePlace;
  answer: QuestionAnswer<T>;
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
      <PageSearchBox
        organizationSlug={organizationSlug}
        filters={filters}
        subject="spans"
        query={query}
        placeholder={PERFORMANCE_PLACEHOLDER}
        error={queryError(answer)}
      />
      <PerformanceFound answer={answer} show={show} />
    </Page>
  );
}

export const PERFORMANCE_PLACEHOLDER = 'Search spans: release:web@2.1.0 span.duration:>500ms text';

/** What is wrong with the search; null when nothing is. */
export const queryError = (answer: QuestionAnswer<unknown>): string | null =>
  answer.kind === 'invalid' && answer.field === 'query' ? answer.message : null;

/** What was found, or why nothing could be. */
export function PerformanceFound<T>({
  answer,
  show,
}: {
  answer: QuestionAnswer<T>;
  show: (found: T) => ReactNode;
}) {
  if (answer.kind === 'found') return show(answer.value);
  return (
    <Panel>
      <QuestionProblem problem={answer} isSaidAbove={queryError(answer) !== null} />
    </Panel>
  );
}
