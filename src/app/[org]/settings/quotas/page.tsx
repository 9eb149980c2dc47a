import type { Metadata } from 'next';
import { getRequestContext } from '#app/request-context.ts';
import { hasRight } from '#product/permissions.ts';
import { getOrganizationLimits } from '#product/quotas/get-organization-limits.ts';
import { Card } from '#ui/card.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { PageBody, PageHeader } from '#ui/page-header.tsx';
import { limitRows } from './limit-rows.tsx';
import { LimitsForm } from './limits-form.tsx';
import { saveQuotasAction } from './quota-actions.ts';

export const metadata: Metadata = { title: 'Quotas' };

/** What the whole organization may send, by kind of data. */
export default async function QuotasPage({ params }: { params: Promise<{ org: string }> }) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  const limits = await getOrganizationLimits(ctx);
  const canChange = hasRight(ctx.actor, 'org:write');
  return (
    <PageBody width="narrow">
      <PageHeader
        title="Quotas"
        description="How much all projects together may send. What comes beyond is refused before it is stored, counted as rate limited, and SDKs are told to pause until the window ends."
      />
      <div className="flex flex-col gap-4">
        <Card flush id="limits" title="Limits of the organization">
          <LimitsForm
            rows={limitRows(limits, ctx.now())}
            action={saveQuotasAction.bind(null, org)}
            canChange={canChange}
          />
        </Card>
        <p className="max-w-[75ch] text-text-muted text-xs">
          Windows follow the clock in UTC: a limit per hour begins anew at every full hour, one per day at
          midnight. An empty field is no limit, 0 lets nothing in. Single projects and client keys have limits
          of their own, below their{' '}
          <Link href={`/${org}/settings/projects`} className="text-accent underline underline-offset-2">
            settings
          </Link>
          ; whichever is reached first counts. Where several edges run, each of them counts for itself.
        </p>
        {canChange ? null : (
          <p className="text-sm text-text-muted">Ask a manager of the organization to change its quotas.</p>
        )}
      </div>
    </PageBody>
  );
}
