import { SearchX } from 'lucide-react';
import type { Metadata } from 'next';
import { CursorPager, readListPage } from '#app/[org]/cursor-pager.tsx';
import { ListSearch } from '#app/[org]/list-search.tsx';
import { getRequestContext } from '#app/request-context.ts';
import { PageFilters } from '#app/shell/page-filters.tsx';
import { EmptyPanel, LoadError, Panel } from '#app/shell/panel.tsx';
import { filterEntries, firstValue, type PageRequest, parsePageFilters, timeBounds } from '#app/url-state.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { visibleData } from '#lib/visible-text.ts';
import { listProfiles } from '#product/profiles/list-profiles.ts';
import { listEnvironments } from '#product/projects/list-project-summaries.ts';
import { listProjects } from '#product/visible-projects.ts';
import { Page } from '#ui/page-header.tsx';
import { ExploreTabs } from '../explore-tabs.tsx';
import { ProfileTable } from './profile-table.tsx';

export const metadata: Metadata = { title: 'Explore profiles' };

const PAGE_ROWS = 50;

/** Profiles of transactions and chunks of continuous ones, of all projects, newest first. */
export default async function ExploreProfilesPage({ params, searchParams }: PageRequest<'org'>) {
  const [{ org }, search] = [await params, await searchParams];
  const ctx = await getRequestContext(org);
  const filters = parsePageFilters(search);
  const text = firstValue(search, 'query') ?? '';
  const cursor = firstValue(search, 'cursor') || null;
  const projects = await listProjects(ctx);
  const projectSlugs = filters.projects.filter((slug) => projects.some((project) => project.slug === slug));
  const shown = { ...filters, projects: projectSlugs };
  const read = (from: string | null) =>
    listProfiles(ctx, {
      projectSlugs,
      environments: filters.environments,
      range: timeBounds(filters.time, ctx.now()),
      text,
      cursor: from,
      limit: PAGE_ROWS,
    });
  const [page, environments] = await Promise.all([
    orUnavailable(readListPage(cursor, read)),
    listEnvironments(ctx, projectSlugs),
  ]);
  const slugs = new Map(projects.map(({ id, slug }) => [id, slug]));
  return (
    <Page title="Explore profiles" description="Search what your projects have sent.">
      <ExploreTabs organizationSlug={org} current="profiles" entries={filterEntries(shown)} />
      <PageFilters
        filters={shown}
        projects={projects.map(({ slug, name, platform }) => ({ slug, name, platform }))}
        environments={environments}
      />
      <div className="mb-3 flex">
        <ListSearch
          label="Search profiles"
          placeholder="Search by transaction, such as GET /checkout"
          query={text}
        />
      </div>
      {!page.ok ? (
        <LoadError what="profiles">{page.reason}</LoadError>
      ) : page.value.rows.length === 0 ? (
        <EmptyPanel icon={<SearchX />} title="No matching profiles">
          SDKs send profiles once profiling is on: set profilesSampleRate, or profileSessionSampleRate for
          continuous profiles.
        </EmptyPanel>
      ) : (
        <Panel>
          <ProfileTable
            organizationSlug={org}
            profiles={visibleData(page.value.rows)}
            slugOf={(projectId) => slugs.get(projectId) ?? ''}
            filters={shown}
            now={ctx.now()}
          />
        </Panel>
      )}
      {page.ok ? (
        <CursorPager
          labels={{ first: 'Newest', next: 'Older' }}
          path={`/${org}/explore/profiles`}
          entries={{ ...filterEntries(shown), query: text || null }}
          cursor={cursor}
          nextCursor={page.value.nextCursor}
        />
      ) : null}
    </Page>
  );
}
