import type { Metadata } from 'next';
import { FieldsForm } from '#app/forms/fields-form.tsx';
import { getRequestContext } from '#app/request-context.ts';
import type { PageRequest } from '#app/url-state.ts';
import { visibleText } from '#lib/visible-text.ts';
import { hasRight } from '#product/permissions.ts';
import { getStatusPage, suggestStatusPageSlug } from '#product/uptime/status-page.ts';
import { listUptimeMonitors } from '#product/uptime/uptime-monitors.ts';
import { Card } from '#ui/card.tsx';
import { SettingsPage } from '#ui/page-header.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { saveStatusPageAction } from '../actions.ts';
import { STATUS_PAGE_FIELDS } from './status-page-fields.ts';

export const metadata: Metadata = { title: 'Status page' };

const MONITORS_OFFERED = 100;

/** What of the monitors everybody may see. */
export default async function StatusPageSettings({ params }: PageRequest<'org'>) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  const [page, { rows }] = await Promise.all([
    getStatusPage(ctx),
    listUptimeMonitors(ctx, { projectSlugs: [], cursor: null, limit: MONITORS_OFFERED }),
  ]);
  const canChange = hasRight(ctx.actor, 'org:admin');
  const options = rows.map(({ monitor }) => ({
    value: String(monitor.id),
    label: visibleText(monitor.name),
  }));
  const address = page ? `${ctx.publicUrl}/status/${page.slug}` : null;
  return (
    <SettingsPage
      title="Status page"
      description="A public page with the state, history, and incidents of the monitors you choose. Nothing else of your organization is shown."
      lockedNote={canChange ? null : 'Only owners can change what everyone sees.'}
    >
      <Card id="status-page" title="Public status page">
        {page?.isPublic && address ? (
          <p className="break-anything mb-4 text-sm">
            Published at <TextLink href={`/status/${page.slug}`}>{address}</TextLink>
          </p>
        ) : null}
        <FieldsForm
          fields={{ ...STATUS_PAGE_FIELDS, monitors: { ...STATUS_PAGE_FIELDS.monitors, options } }}
          values={{
            isPublic: page?.isPublic ?? false,
            title: page?.title ?? `${ctx.organization.name} status`,
            slug: page?.slug ?? suggestStatusPageSlug(),
            showsUrls: page?.showsUrls ?? false,
            monitors: page?.monitorIds.map(String) ?? [],
          }}
          save={
            canChange
              ? {
                  action: saveStatusPageAction.bind(null, org, {}),
                  label: 'Save',
                  doneTitle: 'Status page saved',
                }
              : null
          }
        />
      </Card>
    </SettingsPage>
  );
}
