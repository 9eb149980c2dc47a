import type { Metadata } from 'next';
import { FieldsForm } from '#app/forms/fields-form.tsx';
import { getRequestContext } from '#app/request-context.ts';
import type { PageRequest } from '#app/url-state.ts';
import { hasRight } from '#product/permissions.ts';
import { Card } from '#ui/card.tsx';
import { SettingsPage } from '#ui/page-header.tsx';
import { createDashboardAction } from '../dashboard-actions.ts';
import { NEW_DASHBOARD_FIELDS } from '../dashboard-fields.ts';

export const metadata: Metadata = { title: 'New dashboard' };

/** A dashboard from nothing, from a template, or from a file. */
export default async function NewDashboardPage({ params }: PageRequest<'org'>) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  const canCreate = hasRight(ctx.actor, 'event:write');
  return (
    <SettingsPage
      title="New dashboard"
      description="Everyone in the organization sees it, and every member can change it."
      lockedNote={canCreate ? null : 'Viewers cannot create dashboards. Ask a member of the organization.'}
    >
      <Card>
        <FieldsForm
          fields={NEW_DASHBOARD_FIELDS}
          values={{ template: '' }}
          save={
            canCreate
              ? {
                  action: createDashboardAction.bind(null, org, null),
                  label: 'Create dashboard',
                  doneTitle: 'Dashboard created.',
                }
              : null
          }
        />
      </Card>
    </SettingsPage>
  );
}
