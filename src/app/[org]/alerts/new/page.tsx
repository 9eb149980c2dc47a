import { FolderPlus } from 'lucide-react';
import type { Metadata } from 'next';
import { loadFormOptions } from '#app/[org]/alerts/load-rule.ts';
import { getRequestContext } from '#app/request-context.ts';
import { firstValue, type PageRequest, withQuery } from '#app/url-state.ts';
import { canChangeAlerts } from '#product/alerts/list-alert-rules.ts';
import { listProjects } from '#product/visible-projects.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { PageBody, PageHeader } from '#ui/page-header.tsx';
import { RuleForm } from '../rule-form/rule-form.tsx';
import { findTemplate, RULE_TEMPLATES } from '../rule-form/templates.ts';

export const metadata: Metadata = { title: 'Create alert rule' };

export default async function NewAlertPage({ params, searchParams }: PageRequest<'org'>) {
  const { org } = await params;
  const requested = await searchParams;
  const ctx = await getRequestContext(org);
  const header = (
    <PageHeader
      title="Create alert rule"
      description="Choose what should trigger this alert. You can change everything later."
    />
  );
  if (!canChangeAlerts(ctx)) {
    return (
      <PageBody>
        {header}
        <Notice
          title="You don’t have permission to create rules"
          actions={<ButtonLink href={`/${org}/alerts`}>Alerts</ButtonLink>}
        >
          Ask an organization admin to create one or to give you the admin role.
        </Notice>
      </PageBody>
    );
  }
  const projects = await listProjects(ctx);
  const project = projects.find(({ slug }) => slug === firstValue(requested, 'project')) ?? projects[0];
  if (!project) {
    return (
      <PageBody>
        {header}
        <EmptyState
          icon={<FolderPlus />}
          title="No projects yet"
          actions={<ButtonLink href={`/${org}/projects/new`}>Create project</ButtonLink>}
        >
          An alert rule monitors one project. Create a project first.
        </EmptyState>
      </PageBody>
    );
  }
  const template = findTemplate(firstValue(requested, 'template'));
  return (
    <PageBody>
      {header}
      {template ? (
        <RuleForm
          key={template.id}
          organizationSlug={org}
          projects={projects.map(({ slug, name }) => ({ slug, name }))}
          projectSlug={project.slug}
          ruleId={null}
          initial={template.draft}
          options={await loadFormOptions(ctx, project.slug)}
        />
      ) : (
        <ul aria-label="Templates" className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
          {RULE_TEMPLATES.map(({ id, name, about }) => (
            <li key={id}>
              <Link
                href={withQuery(`/${org}/alerts/new`, {
                  project: firstValue(requested, 'project'),
                  template: id,
                })}
                className="block h-full rounded-lg border bg-surface-raised p-4 no-underline transition-colors hover:border-border-strong hover:bg-surface-hover"
              >
                <span className="block font-semibold text-sm text-text">{name}</span>
                <span className="mt-1 block text-sm text-text-muted">{about}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </PageBody>
  );
}
