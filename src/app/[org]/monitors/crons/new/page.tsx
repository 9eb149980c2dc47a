import { FolderPlus } from 'lucide-react';
import type { Metadata } from 'next';
import { getRequestContext } from '#app/request-context.ts';
import { EmptyPanel } from '#app/shell/panel.tsx';
import { firstValue, type PageRequest } from '#app/url-state.ts';
import { canChangeAlerts } from '#product/alerts/list-alert-rules.ts';
import { DEFAULT_MONITOR_SETTINGS } from '#product/monitors/monitor.ts';
import { listProjects } from '#product/visible-projects.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Notice } from '#ui/notice.tsx';
import { Page } from '#ui/page-header.tsx';
import { loadOwners } from '../load-monitor.ts';
import { enteredScheduleOf, readEnteredSchedule } from '../monitor-form/entered-schedule.ts';
import { valuesOfMonitor } from '../monitor-form/monitor-fields.ts';
import { MonitorForm } from '../monitor-form/monitor-form.tsx';
import { SchedulePreview } from '../monitor-form/schedule-preview.tsx';

export const metadata: Metadata = { title: 'New cron monitor' };

export default async function NewCronPage({ params, searchParams }: PageRequest<'org'>) {
  const { org } = await params;
  const requested = firstValue(await searchParams, 'project');
  const ctx = await getRequestContext(org);
  const title = 'New cron monitor';
  if (!canChangeAlerts(ctx)) {
    return (
      <Page width="narrow" title={title}>
        <Notice
          title="You don’t have permission to create monitors"
          actions={<ButtonLink href={`/${org}/monitors/crons`}>Monitors</ButtonLink>}
        >
          Ask an organization admin to create one or to give you the admin role.
        </Notice>
      </Page>
    );
  }
  const projects = await listProjects(ctx);
  const project = projects.find(({ slug }) => slug === requested) ?? projects[0];
  if (!project) {
    return (
      <Page width="narrow" title={title}>
        <EmptyPanel
          icon={<FolderPlus />}
          title="No projects yet"
          actions={<ButtonLink href={`/${org}/projects/new`}>Create project</ButtonLink>}
        >
          A monitor belongs to a project. Create a project first.
        </EmptyPanel>
      </Page>
    );
  }
  const values = {
    ...valuesOfMonitor({ ...DEFAULT_MONITOR_SETTINGS, name: '', owner: null }),
    project: project.slug,
  };
  return (
    <Page
      width="narrow"
      title={title}
      description="SDKs can create monitors as well: they send the schedule with their check-ins."
    >
      <MonitorForm
        organizationSlug={org}
        monitorId={null}
        values={values}
        projects={projects.map(({ slug, name }) => ({ value: slug, label: name }))}
        owners={await loadOwners(ctx)}
        preview={<SchedulePreview {...readEnteredSchedule(enteredScheduleOf(values))} now={ctx.now()} />}
        now={ctx.now()}
      />
    </Page>
  );
}
