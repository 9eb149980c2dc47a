import type { Metadata } from 'next';
import { getRequestContext } from '#app/request-context.ts';
import { firstValue, type PageRequest } from '#app/url-state.ts';
import { visibleText } from '#lib/visible-text.ts';
import { canChangeUptime } from '#product/uptime/uptime-monitors.ts';
import { listProjects } from '#product/visible-projects.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Notice } from '#ui/notice.tsx';
import { Page } from '#ui/page-header.tsx';
import { ownerOptions } from '../form-choices.ts';
import { newUptimeValues } from '../uptime-fields.ts';
import { UptimeForm } from '../uptime-form.tsx';

export const metadata: Metadata = { title: 'New uptime monitor' };

export default async function NewUptimeMonitorPage({ params, searchParams }: PageRequest<'org'>) {
  const { org } = await params;
  const requested = await searchParams;
  const ctx = await getRequestContext(org);
  const projects = (await listProjects(ctx)).filter(({ isInternal }) => !isInternal);
  const back = <ButtonLink href={`/${org}/monitors/uptime`}>All monitors</ButtonLink>;
  const slug = firstValue(requested, 'project');
  const project = projects.find((each) => each.slug === slug) ?? projects[0];
  if (!canChangeUptime(ctx) || !project) {
    return (
      <Page width="narrow" title="New uptime monitor">
        {project ? (
          <Notice title="You cannot create monitors" actions={back}>
            Ask an admin to create one.
          </Notice>
        ) : (
          <Notice title="Create a project first" actions={back}>
            A monitor belongs to a project, which has its issues.
          </Notice>
        )}
      </Page>
    );
  }
  return (
    <Page
      width="narrow"
      title="New uptime monitor"
      description="This server requests the URL at an interval and opens an issue when it is down."
    >
      <UptimeForm
        organizationSlug={org}
        monitorId={null}
        values={newUptimeValues(project.slug, (firstValue(requested, 'url') ?? '').slice(0, 2_000))}
        projects={projects.map((each) => ({ value: each.slug, label: visibleText(each.name) }))}
        owners={await ownerOptions(ctx, null)}
      />
    </Page>
  );
}
