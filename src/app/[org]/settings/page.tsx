import type { Metadata } from 'next';
import { ConfirmAction } from '#app/forms/confirm-action.tsx';
import { valuesOf } from '#app/forms/fields.ts';
import { FieldsForm } from '#app/forms/fields-form.tsx';
import { getRequestContext } from '#app/request-context.ts';
import type { PageRequest } from '#app/url-state.ts';
import { hasRight } from '#product/permissions.ts';
import { Card } from '#ui/card.tsx';
import { SettingsPage } from '#ui/page-header.tsx';
import { deleteOrganizationAction, saveOrganizationAction } from './organization-actions.ts';
import { ORGANIZATION_FIELDS } from './organization-fields.ts';

export const metadata: Metadata = { title: 'Settings' };

export default async function GeneralSettingsPage({ params }: PageRequest<'org'>) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  const { name, slug } = ctx.organization;
  const canChange = hasRight(ctx.actor, 'org:write');
  return (
    <SettingsPage
      title={`${name} settings`}
      lockedNote={canChange ? null : 'Ask a manager or an owner to change these settings.'}
    >
      <Card id="general" title="General">
        <FieldsForm
          fields={ORGANIZATION_FIELDS}
          values={valuesOf(ORGANIZATION_FIELDS, ctx.organization)}
          save={
            canChange
              ? {
                  action: saveOrganizationAction.bind(null, org, null),
                  label: 'Save settings',
                  doneTitle: 'Settings saved',
                }
              : null
          }
        />
      </Card>
      {hasRight(ctx.actor, 'org:admin') ? (
        <Card id="delete" title="Delete organization">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="max-w-[60ch] text-sm text-text-muted">
              Permanently deletes its projects, issues, events, roles, tokens and audit log. User accounts are
              kept.
            </p>
            <ConfirmAction
              action={deleteOrganizationAction.bind(null, slug)}
              label="Delete…"
              title={`Delete ${name}?`}
              description="This cannot be undone. Events sent to it are rejected right away."
              confirmLabel="Delete organization"
              doneTitle={`Deleted: ${name}`}
              typed={slug}
              variant="danger"
            />
          </div>
        </Card>
      ) : null}
    </SettingsPage>
  );
}
