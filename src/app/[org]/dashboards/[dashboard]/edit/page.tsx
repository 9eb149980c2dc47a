import { FieldsForm } from '#app/forms/fields-form.tsx';
import type { PageRequest } from '#app/url-state.ts';
import { hasRight } from '#product/permissions.ts';
import { Card } from '#ui/card.tsx';
import { SettingsPage } from '#ui/page-header.tsx';
import { saveDashboardAction } from '../../dashboard-actions.ts';
import { DASHBOARD_FIELDS } from '../../dashboard-fields.ts';
import { loadDashboard } from '../load-dashboard.ts';

export const metadata = { title: 'Dashboard settings' };

/** Title, description and variables of a dashboard. */
export default async function EditDashboardPage({ params }: PageRequest<'org' | 'dashboard'>) {
  const { org, ctx, dashboard } = await loadDashboard(params);
  const { id, version, title, description, variables } = dashboard;
  const canChange = hasRight(ctx.actor, 'event:write');
  return (
    <SettingsPage
      title="Dashboard settings"
      lockedNote={canChange ? null : 'Viewers cannot change dashboards. Ask a member of the organization.'}
    >
      <Card>
        <FieldsForm
          fields={DASHBOARD_FIELDS}
          values={{ title, description, variables: variables.join('\n') }}
          save={
            canChange
              ? {
                  action: saveDashboardAction.bind(null, org, { id, version }),
                  label: 'Save',
                  doneTitle: 'Dashboard saved.',
                }
              : null
          }
        />
      </Card>
    </SettingsPage>
  );
}
