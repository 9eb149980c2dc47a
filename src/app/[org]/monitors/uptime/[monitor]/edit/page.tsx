import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { getRequestContext } from '#app/request-context.ts';
import { visibleText } from '#lib/visible-text.ts';
import { canChangeUptime } from '#product/uptime/uptime-monitors.ts';
import { Page } from '#ui/page-header.tsx';
import { ownerOptions } from '../../form-choices.ts';
import { loadMonitor } from '../../load-monitor.ts';
import { uptimeValues } from '../../uptime-fields.ts';
import { UptimeForm } from '../../uptime-form.tsx';

type Props = { params: Promise<{ org: string; monitor: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { org, monitor: number } = await params;
  const { monitor } = await loadMonitor(org, number);
  return { title: `Edit ${visibleText(monitor.name)}` };
}

export default async function EditUptimeMonitorPage({ params }: Props) {
  const { org, monitor: number } = await params;
  const ctx = await getRequestContext(org);
  const { monitor, project } = await loadMonitor(org, number);
  const path = `/${org}/monitors/uptime/${monitor.id}`;
  if (!canChangeUptime(ctx)) redirect(path);
  return (
    <Page
      width="narrow"
      title={
        <>
          Edit <bdi>{visibleText(monitor.name)}</bdi>
        </>
      }
    >
      <UptimeForm
        organizationSlug={org}
        monitorId={monitor.id}
        values={uptimeValues(monitor, project.slug)}
        projects={[{ value: project.slug, label: visibleText(project.name) }]}
        owners={await ownerOptions(ctx, monitor.owner)}
      />
    </Page>
  );
}
