import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { CursorPager, readListPage } from '#app/[org]/cursor-pager.tsx';
import { TextSearch } from '#app/[org]/text-search.tsx';
import { getRequestContext } from '#app/request-context.ts';
import { PageFilters } from '#app/shell/page-filters.tsx';
import { EmptyPanel, LoadError, Panel } from '#app/shell/panel.tsx';
import {
  filterEntries,
  firstValue,
  type PageRequest,
  parsePageFilters,
  type QueryEntries,
  timeBounds,
} from '#app/url-state.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { visibleData } from '#lib/visible-text.ts';
import { listEnvironments } from '#product/projects/list-project-summaries.ts';
import { exploreTelemetry } from '#product/telemetry/telemetry.ts';
import { listProjects } from '#product/visible-projects.ts';
import type { TelemetryRows } from '#protocol/telemetry.ts';
import { Page } from '#ui/page-header.tsx';
import { ExploreTabs } from './explore-tabs.tsx';

const PAGE_ROWS = 50;

/** What a row is shown with. */
export type RowPlace = { organizationSlug: string; slugOf: (projectId: number) => string; now: number };

/** A list of one kind of telemetry, newest first, narrowed by project, environment, time and a text. */
export async function TelemetryPage<Kind extends 'transactions' | 'logs' | 'profiles'>({
  request: { params, searchParams },
  kind,
  dataset,
  filter,
  controls,
  placeholder,
  empty,
  children,
}: {
  request: PageRequest<'org'>;
  kind: Kind;
  dataset: 'traces' | 'logs' | 'profiles';
  filter?: Parameters<typeof exploreTelemetry>[2]['filter'];
  /** Entries of the address that `filter` comes from, and what changes them. */
  controls?: { entries: QueryEntries; node: ReactNode };
  placeholder: string;
  empty: string;
  children: (rows: readonly TelemetryRows[Kind][number][], place: RowPlace) => ReactNode;
}) {
  const [{ org }, search] = [await params, await searchParams];
  const ctx = await getRequestContext(org);
  const filters = parsePageFilters(search);
  const text = firstValue(search, 'query') ?? '';
  const cursor = firstValue(search, 'cursor') || null;
  const projects = await listProjects(ctx);
  const projectSlugs = filters.projects.filter((slug) => projects.some((project) => project.slug === slug));
  const shown = { ...filters, projects: projectSlugs };
  const entries = { ...filterEntries(shown), ...controls?.entries, query: text || null };
  const read = (from: string | null) =>
    exploreTelemetry(ctx, kind, {
      projectSlugs,
      environments: filters.environments,
      range: timeBounds(filters.time, ctx.now()),
      text,
      filter,
      cursor: from,
      limit: PAGE_ROWS,
    });
  const [page, environments] = await Promise.all([
    orUnavailable(readListPage(cursor, read)),
    listEnvironments(ctx, projectSlugs),
  ]);
  const slugs = new Map(projects.map(({ id, slug }) => [id, slug]));
  return (
    <Page title={`Explore ${dataset}`} description="Search what your projects have sent.">
      <ExploreTabs organizationSlug={org} current={dataset} entries={filterEntries(shown)} />
      <PageFilters
        filters={shown}
        projects={projects.map(({ slug, name, platform }) => ({ slug, name, platform }))}
        environments={environments}
        trailing={controls?.node}
      />
      <div className="mb-3 flex">
        <TextSearch key={text} text={text} label={`Search ${dataset}`} placeholder={placeholder} />
      </div>
      {!page.ok ? (
        <LoadError what={dataset}>{page.reason}</LoadError>
      ) : page.value.rows.length === 0 ? (
        <EmptyPanel icon={<SearchX />} title={`No matching ${dataset}`}>
          {empty}
        </EmptyPanel>
      ) : (
        <Panel>
          {children(visibleData(page.value.rows), {
            organizationSlug: org,
            slugOf: (projectId) => slugs.get(projectId) ?? '',
            now: ctx.now(),
          })}
        </Panel>
      )}
      {page.ok ? (
        <CursorPager
          labels={{ first: 'Newest', next: 'Older' }}
          path={`/${org}/explore/${dataset}`}
          entries={entries}
          cursor={cursor}
          nextCursor={page.value.nextCursor}
        />
      ) : null}
    </Page>
  );
}
