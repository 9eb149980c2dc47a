import { SearchX, Users } from 'lucide-react';
import type { Metadata } from 'next';
import { ExploreTabs } from '#app/[org]/explore/explore-tabs.tsx';
import { getRequestContext } from '#app/request-context.ts';
import { PageFilters } from '#app/shell/page-filters.tsx';
import { LoadError, Panel } from '#app/shell/panel.tsx';
import { filterEntries, firstValue, type PageRequest, parsePageFilters, timeBounds } from '#app/url-state.ts';
import { isErrataError } from '#lib/errors.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import type { Context } from '#product/context.ts';
import { listEnvironments } from '#product/projects/list-project-summaries.ts';
import { listUsers, USERS_MAX } from '#product/users/list-users.ts';
import { listProjects } from '#product/visible-projects.ts';
import { CodeBlock } from '#ui/code-block.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Page } from '#ui/page-header.tsx';
import { UserSearch } from './user-search.tsx';
import { UserTable } from './user-table.tsx';

export const metadata: Metadata = { title: 'Users' };

/** Those whom errors and transactions name, the last seen first. */
export default async function UsersPage({ params, searchParams }: PageRequest<'org'>) {
  const { org } = await params;
  const address = await searchParams;
  const ctx = await getRequestContext(org);
  const projects = await listProjects(ctx);
  const requested = parsePageFilters(address);
  const known = requested.projects.filter((slug) => projects.some((project) => project.slug === slug));
  const filters = { ...requested, projects: known };
  const search = firstValue(address, 'query') ?? '';
  const [found, environments] = await Promise.all([
    orUnavailable(
      readUsers(ctx, {
        search,
        projectSlugs: known,
        environments: filters.environments,
        range: timeBounds(filters.time, ctx.now()),
      }),
    ),
    listEnvironments(ctx, known),
  ]);
  return (
    <Page title="Users" description="People who use your apps, as SDKs name them.">
      <ExploreTabs organizationSlug={org} current="users" entries={filterEntries(filters)} />
      <PageFilters
        filters={filters}
        projects={projects.map(({ slug, name, platform }) => ({ slug, name, platform }))}
        environments={environments}
      />
      <div className="mb-3">
        <UserSearch key={search} organizationSlug={org} query={search} />
      </div>
      {!found.ok ? (
        <LoadError what="users">{found.reason}</LoadError>
      ) : 'problem' in found.value ? (
        <LoadError title="The search is too broad">{found.value.problem}</LoadError>
      ) : (
        <>
          <Panel>
            {found.value.users.length === 0 ? (
              <UsersEmpty isSearch={search !== ''} />
            ) : (
              <UserTable
                organizationSlug={org}
                users={found.value.users}
                entries={filterEntries(filters)}
                now={ctx.now()}
              />
            )}
          </Panel>
          {found.value.hasMore ? (
            <p className="mt-3 text-sm text-text-muted">
              The {USERS_MAX} users seen last. Search to find others.
            </p>
          ) : null}
        </>
      )}
    </Page>
  );
}

async function readUsers(ctx: Context, input: Parameters<typeof listUsers>[1]) {
  try {
    return await listUsers(ctx, input);
  } catch (error) {
    if (isErrataError(error) && error.code === 'invalid') return { problem: error.message };
    throw error;
  }
}

function UsersEmpty({ isSearch }: { isSearch: boolean }) {
  if (isSearch) {
    return (
      <EmptyState icon={<SearchX />} title="No matching users">
        The search looks for part of an ID, email, username, or IP address in the selected time range,
        projects and environments.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<Users />} title="No users in this time range">
      <p className="mb-3">A user appears with the first error or transaction that names one:</p>
      <div className="text-left">
        <CodeBlock text={"Sentry.setUser({ id: '42', email: 'ann@example.com' });"} label="the line" />
      </div>
    </EmptyState>
  );
}
