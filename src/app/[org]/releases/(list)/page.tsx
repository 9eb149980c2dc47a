import { Archive, Package, SearchX } from 'lucide-react';
import type { Metadata } from 'next';
import { CursorPager } from '#app/[org]/cursor-pager.tsx';
import { ListSearch } from '#app/[org]/list-search.tsx';
import { getRequestContext } from '#app/request-context.ts';
import { PageFilters } from '#app/shell/page-filters.tsx';
import { LoadError, Panel } from '#app/shell/panel.tsx';
import { filterEntries, type PageRequest, timeBounds } from '#app/url-state.ts';
import { isErrataError } from '#lib/errors.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import type { Context } from '#product/context.ts';
import { listEnvironments } from '#product/projects/list-project-summaries.ts';
import { listReleases } from '#product/releases/list-releases.ts';
import { listProjects } from '#product/visible-projects.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { CodeBlock } from '#ui/code-block.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Page } from '#ui/page-header.tsx';
import { TabLinks } from '#ui/tabs.tsx';
import { parseReleasesState, type ReleasesState, releasesHref } from '../releases-state.ts';
import { ReleaseTable } from './release-table.tsx';

export const metadata: Metadata = { title: 'Releases' };

const PAGE_RELEASES = 50;

export default async function ReleasesPage({ params, searchParams }: PageRequest<'org'>) {
  const { org } = await params;
  const requested = parseReleasesState(await searchParams);
  const ctx = await getRequestContext(org);
  const projects = await listProjects(ctx);
  const known = requested.filters.projects.filter((slug) =>
    projects.some((project) => project.slug === slug),
  );
  const state = { ...requested, filters: { ...requested.filters, projects: known } };
  const [page, environments] = await Promise.all([
    orUnavailable(readReleases(ctx, state)),
    listEnvironments(ctx, known),
  ]);
  return (
    <Page title="Releases" description="Versions of your apps with their health and new issues.">
      <PageFilters
        filters={state.filters}
        projects={projects.map(({ slug, name, platform }) => ({ slug, name, platform }))}
        environments={environments}
      />
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-1">
        <ListSearch
          label="Search releases"
          placeholder="Search by version, such as web@2.1"
          query={state.search}
        />
        <TabLinks
          label="Release lists"
          tabs={[
            {
              href: releasesHref(org, state, { sort: 'date', isArchived: false }),
              label: 'Latest',
              isCurrent: !state.isArchived && state.sort !== 'version',
            },
            {
              href: releasesHref(org, state, { sort: 'version', isArchived: false }),
              label: 'Highest version',
              isCurrent: !state.isArchived && state.sort === 'version',
            },
            {
              href: releasesHref(org, state, { isArchived: true }),
              label: 'Archived',
              isCurrent: state.isArchived,
            },
          ]}
        />
      </div>
      {!page.ok ? (
        <LoadError what="releases">{page.reason}</LoadError>
      ) : (
        <Panel>
          {page.value.releases.length === 0 ? (
            <ReleasesEmpty organizationSlug={org} state={state} />
          ) : (
            <ReleaseTable
              organizationSlug={org}
              releases={page.value.releases}
              filters={filterEntries(state.filters)}
              order={{ current: state.sort, hrefOf: (sort) => releasesHref(org, state, { sort }) }}
              now={ctx.now()}
            />
          )}
        </Panel>
      )}
      <CursorPager
        hrefOf={(cursor) => releasesHref(org, state, { cursor })}
        cursor={state.cursor}
        nextCursor={page.ok ? page.value.nextCursor : null}
      />
    </Page>
  );
}

/** A cursor or a search that cannot be read (an edited address) shows the first page instead. */
async function readReleases(ctx: Context, state: ReleasesState): ReturnType<typeof listReleases> {
  const ask = (part: { search: string; cursor: string | null }) =>
    listReleases(ctx, {
      ...part,
      projectSlugs: state.filters.projects,
      environments: state.filters.environments,
      range: timeBounds(state.filters.time, ctx.now()),
      status: state.isArchived ? 'archived' : 'open',
      sort: state.sort,
      limit: PAGE_RELEASES,
    });
  try {
    return await ask(state);
  } catch (error) {
    if (!isErrataError(error) || error.code !== 'invalid' || !(state.cursor || state.search)) throw error;
    return await ask({ search: error.field === 'query' ? '' : state.search, cursor: null });
  }
}

/** Why the list is empty: nothing matches, or no SDK reports a release. */
function ReleasesEmpty({ organizationSlug, state }: { organizationSlug: string; state: ReleasesState }) {
  const { filters, search, cursor, isArchived } = state;
  const isNarrowed = search !== '' || cursor !== null || filters.environments.length > 0;
  if (isNarrowed) {
    return (
      <EmptyState
        icon={<SearchX />}
        title="No matching releases"
        actions={
          <ButtonLink
            href={releasesHref(organizationSlug, state, {
              search: '',
              filters: { ...filters, projects: [], environments: [] },
            })}
          >
            Show all releases
          </ButtonLink>
        }
      >
        {filters.environments.length > 0
          ? 'With an environment selected, only releases with activity there in the selected time range are listed.'
          : 'Search matches any part of the version and ignores case.'}
      </EmptyState>
    );
  }
  if (isArchived) {
    return (
      <EmptyState icon={<Archive />} title="No archived releases">
        Archived releases are hidden from the other lists. You can archive or restore a release on its page.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<Package />} title="No releases yet">
      <p className="mb-3">A release appears with its first event or session. Set the release in your SDK:</p>
      <div className="text-left">
        <CodeBlock text={"Sentry.init({ dsn, release: 'web@1.0.0' });"} label="the line" />
      </div>
    </EmptyState>
  );
}
