import type { Metadata } from 'next';
import { getRequestContext } from '#app/request-context.ts';
import type { PageRequest } from '#app/url-state.ts';
import { hasRight } from '#product/permissions.ts';
import { getOrganizationPrivacy } from '#product/privacy/privacy-settings.ts';
import { SettingsPage } from '#ui/page-header.tsx';
import { PrivacyForm } from './privacy-form.tsx';

export const metadata: Metadata = { title: 'Privacy' };

export default async function OrganizationPrivacyPage({ params }: PageRequest<'org'>) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  const privacy = await getOrganizationPrivacy(ctx);
  const canChange = hasRight(ctx.actor, 'org:write');
  return (
    <SettingsPage
      title="Privacy"
      description="Data to scrub from all projects before it is stored. Projects can scrub more in their own settings, but not less."
      lockedNote={canChange ? null : 'Ask a manager to change what is scrubbed from all projects.'}
    >
      <PrivacyForm
        owner={{ orgSlug: org, projectSlug: null }}
        privacy={privacy}
        inherited={null}
        canChange={canChange}
      />
    </SettingsPage>
  );
}
