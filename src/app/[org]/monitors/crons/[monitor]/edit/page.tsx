import type { Metadata } from 'next';
import { getRequestContext } from '#app/request-context.ts';
import type { PageRequest } from '#app/url-state.ts';
import { visibleText } from '#lib/visible-text.ts';
import { canChangeAlerts } from '#product/alerts/list-alert-rules.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Notice } from '#ui/notice.tsx';
import { Page } from '#ui/page-header.tsx';
import { cronHref } from '../../crons-state.ts';
import { loadMonitor, loadOwners } from '../../load-monitor.ts';
import { enteredScheduleOf, readEnteredSchedule } from '../../monitor-form/entered-schedule.ts';
import { valuesOfMonitor } from '../../monitor-form/monitor-fields.ts';
import { MonitorForm } from '../../monitor-form/monitor-form.tsx';
import { SchedulePreview } from '../../monitor-form/schedule-preview.tsx';

export const metadata: Metadata = { title: 'Edit cron monitor' };

export default async function EditCronPage({ params }: PageRequest<'org' | 'monitor'>) {
  const { org, monitor: id } = await params;
  const ctx = await getRequestContext(org);
  const monitor = await loadMonitor(ctx, id);
  const title = `Edit ${visibleText(monitor.name)}`;
  const back = <ButtonLink href={cronHref(org, monitor.id)}>Back to monitor</ButtonLink>;
  if (!canChangeAlerts(ctx)) {
    return (
      <Page width="narrow" title={title}>
        <Notice title="You don’t have permission to edit monitors" actions={back}>
          Ask an organization admin to make the change or to give you the admin role.
        </Notice>
      </Page>
    );
  }
  const values = valuesOfMonitor(monitor);
  return (
    <Page width="narrow" title={title} actions={back}>
      {monitor.isUpserting ? (
        <div className="mb-5">
          <Notice title="The schedule comes from your code">
            An SDK sends it with check-ins. What you change here lasts until the next check-in that has a
            schedule.
          </Notice>
        </div>
      ) : null}
      <MonitorForm
        organizationSlug={org}
        monitorId={monitor.id}
        values={values}
        projects={[]}
        owners={await loadOwners(ctx)}
        preview={<SchedulePreview {...readEnteredSchedule(enteredScheduleOf(values))} now={ctx.now()} />}
        now={ctx.now()}
      />
    </Page>
  );
}
