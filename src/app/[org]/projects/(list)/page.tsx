import { FolderPlus, Plus, Users } from 'lucide-react';
import type { Metadata } from 'next';
import { getRequestContext } from '#app/request-context.ts';
import { PageFilters } from '#app/shell/page-filters.tsx';
import {
  filterEntries,
  firstValue,
  type PageRequest,
  parsePageFilters,
  timeBounds,
  withQuery,
} from '#app/url-state.ts';
import { hasRight } from '#product/permissions.ts';
import { listProjectSummaries } from '#product/projects/list-project-summaries.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Page } from '#ui/page-header.tsx';
import { TabLinks } from '#ui/tabs.tsx';
import { ProjectRow } from './project-row.tsx';

export const metadata: Metadata = { title: 'Projects' };

export default async function ProjectsPage({ params, searchParams }: PageRequest<'org'>) {
  const { org } = await params;
  const requested = await searchParams;
  const filters = parsePageFilters(requested);
  const isOwnOnly = firstValue(requested, 'teams') === 'mine';
  const ctx = await getRequestContext(org);
  const now = ctx.now();
  const { projects: all, bucketMs } = await listProjectSummaries(ctx, {
    range: timeBounds(filters.time, now),
  });
  const projects = isOwnOnly ? all.filter((project) => project.isOwn) : all;
  const canCreate = hasRight(ctx.actor, 'project:write');
  const create = canCreate ? (
    <ButtonLink variant="primary" href={`/${org}/projects/new`}>
      <Plus aria-hidden className="size-4" />
      Create project
    </ButtonLink>
  ) : null;
  const entries = filterEntries(filters);
  const tab = (teams: 'mine' | null) => withQuery(`/${org}/projects`, { ...entries, teams });
  return (
    <Page
      title="Projects"
      description="Each app or service that reports errors is a project with its own DSN."
      actions={create}
    >
      {all.length > 0 ? (
        <div className="flex flex-wrap items-start justify-between gap-x-4">
          <PageFilters filters={filters} projects={null} environments={null} />
          <TabLinks
            label="Filter projects"
            tabs={[
              { href: tab(null), label: 'All', count: String(all.length), isCurrent: !isOwnOnly },
              {
                href: tab('mine'),
                label: 'My teams',
                count: String(all.filter((project) => project.isOwn).length),
                isCurrent: isOwnOnly,
              },
            ]}
          />
        </div>
      ) : null}
      <div className="overflow-hidden rounded-lg border bg-surface-raised">
        {all.length === 0 ? (
          <EmptyState icon={<FolderPlus />} title="No projects yet" actions={create}>
            {canCreate
              ? 'Create a project for your app to get its DSN and setup code.'
              : 'Ask an organization admin to create one.'}
          </EmptyState>
        ) : projects.length === 0 ? (
          <EmptyState
            icon={<Users />}
            title="Your teams have no projects"
            actions={<ButtonLink href={`/${org}/settings/teams`}>Manage teams</ButtonLink>}
          >
            Projects assigned to one of your teams appear here.
          </EmptyState>
        ) : (
          <ul>
            {projects.map((project) => (
              <ProjectRow
                key={project.id}
                organizationSlug={org}
                project={project}
                bucketMs={bucketMs}
                filters={entries}
                now={now}
              />
            ))}
          </ul>
        )}
      </div>
    </Page>
  );
}
