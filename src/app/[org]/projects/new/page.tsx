import { LockKeyhole } from 'lucide-react';
import type { Metadata } from 'next';
import { getRequestContext } from '#app/request-context.ts';
import type { PageRequest } from '#app/url-state.ts';
import { hasRight } from '#product/permissions.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Page } from '#ui/page-header.tsx';
import { NewProjectForm } from './new-project-form.tsx';

export const metadata: Metadata = { title: 'Create project' };

export default async function NewProjectPage({ params }: PageRequest<'org'>) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  return (
    <Page
      width="narrow"
      title="Create project"
      description="Create one project per app, or per service that is released separately."
    >
      {hasRight(ctx.actor, 'project:write') ? (
        <NewProjectForm orgSlug={org} />
      ) : (
        <EmptyState
          icon={<LockKeyhole />}
          title="You don’t have permission to create projects"
          actions={<ButtonLink href={`/${org}/projects`}>Back to projects</ButtonLink>}
        >
          Ask an admin, manager, or owner of {ctx.organization.name} to create one for you.
        </EmptyState>
      )}
    </Page>
  );
}
