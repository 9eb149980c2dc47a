import type { Metadata } from 'next';
import { getRequestContext } from '#app/request-context.ts';
import { hasRight } from '#product/permissions.ts';
import { Card } from '#ui/card.tsx';
import { PageBody, PageHeader } from '#ui/page-header.tsx';
import { DeleteOrganization } from './general/delete-organization.tsx';
import { GeneralForm } from './general/general-form.tsx';

export const metadata: Metadata = { title: 'Settings' };

/** What the organization is called, where it is found, and who sees what. */
export default async function GeneralSettingsPage({ params }: { params: Promise<{ org: string }> }) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  const { name, slug, isOpen } = ctx.organization;
  const canChange = hasRight(ctx.actor, 'org:write');
  return (
    <PageBody width="narrow">
      <PageHeader title={`Settings of ${name}`} />
      <div className="flex flex-col gap-5">
        <Card id="general" title="General">
          <GeneralForm orgSlug={org} organization={{ name, slug, isOpen }} canChange={canChange} />
        </Card>
        {hasRight(ctx.actor, 'org:admin') ? (
          <Card id="delete" title="Delete the organization">
            <DeleteOrganization orgSlug={slug} organizationName={name} />
          </Card>
        ) : null}
        {canChange ? null : (
          <p className="text-sm text-text-muted">Ask a manager or an owner to change these settings.</p>
        )}
      </div>
    </PageBody>
  );
}
