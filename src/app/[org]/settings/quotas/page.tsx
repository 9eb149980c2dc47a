import type { Metadata } from 'next';
import { saveQuotasAction } from '#app/[org]/settings/organization-actions.ts';
import { getRequestContext } from '#app/request-context.ts';
import type { PageRequest } from '#app/url-state.ts';
import { hasRight } from '#product/permissions.ts';
import { getOrganizationLimits } from '#product/quotas/limits.ts';
import { Card } from '#ui/card.tsx';
import { SettingsPage } from '#ui/page-header.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { limitRows } from './limit-rows.tsx';
import { LimitsForm } from './limits-form.tsx';

export const metadata: Metadata = { title: 'Quotas' };

export default async function QuotasPage({ params }: PageRequest<'org'>) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  const limits = await getOrganizationLimits(ctx);
  const canChange = hasRight(ctx.actor, 'org:write');
  return (
    <SettingsPage
      title="Quotas"
      description="How much all projects together can send. Anything over a limit is rejected and counted as rate limited, and SDKs pause until the window resets."
      lockedNote={canChange ? null : 'Ask a manager or owner to change the quotas.'}
    >
      <Card flush id="limits" title="Organization limits">
        <LimitsForm
          rows={limitRows(limits, ctx.now())}
          action={saveQuotasAction.bind(null, org, null)}
          canChange={canChange}
        />
      </Card>
      <p className="max-w-[75ch] text-text-muted text-xs">
        Windows follow the UTC clock: hourly limits reset on the hour, daily limits at midnight. Leave a field
        empty for no limit; enter 0 to accept nothing. Projects and client keys can have their own limits in
        the project <TextLink href={`/${org}/settings/projects`}>settings</TextLink>; the first limit reached
        applies. If you run several edges, each one counts separately.
      </p>
    </SettingsPage>
  );
}
