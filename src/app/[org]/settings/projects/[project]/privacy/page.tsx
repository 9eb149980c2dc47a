import type { Metadata } from 'next';
import { loadProjectPage } from '#app/[org]/projects/load-project.ts';
import { PrivacyForm } from '#app/[org]/settings/privacy/privacy-form.tsx';
import type { PageRequest } from '#app/url-state.ts';
import { hasRight } from '#product/permissions.ts';
import { getProjectPrivacy } from '#product/privacy/privacy-settings.ts';
import type { PrivacySettings } from '#protocol/ingest-settings.ts';
import { formatPlural } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { SettingsPage } from '#ui/page-header.tsx';

export const metadata: Metadata = { title: 'Privacy' };

export default async function ProjectPrivacyPage({ params }: PageRequest<'org' | 'project'>) {
  const { org, slug, ctx } = await loadProjectPage(params);
  const { project, organization } = await getProjectPrivacy(ctx, slug);
  const canChange = hasRight(ctx.actor, 'project:write');
  const demanded = demandsOf(organization);
  return (
    <SettingsPage
      title="Privacy"
      description="Data to scrub from everything this project sends, before it is stored. Changes apply to new data. Data that is already stored does not change."
      lockedNote={canChange ? null : 'Ask an admin to change what is scrubbed.'}
    >
      {demanded.length > 0 ? (
        <Notice title="Organization settings also apply">
          {demanded.join(', ')}: scrubbed from all projects, before the rules here apply. See the{' '}
          <Link href={`/${org}/settings/privacy`} className="underline underline-offset-2">
            organization's privacy settings
          </Link>
          .
        </Notice>
      ) : null}
      <PrivacyForm
        owner={{ orgSlug: org, projectSlug: slug }}
        privacy={project}
        inherited={organization}
        canChange={canChange}
      />
    </SettingsPage>
  );
}

function demandsOf(organization: PrivacySettings): string[] {
  return [
    organization.defaultRules ? 'the default rules' : null,
    organization.scrubIpAddresses ? 'IP addresses' : null,
    organization.textAttachments === 'keep' ? null : 'text attachments',
    organization.recordings === 'keep' ? null : 'replay recordings',
    organization.sensitiveFields.length > 0
      ? formatPlural(organization.sensitiveFields.length, 'sensitive field')
      : null,
    organization.advancedRules.length > 0
      ? formatPlural(organization.advancedRules.length, 'advanced rule')
      : null,
  ].filter((demand) => demand !== null);
}
