import type { Metadata } from 'next';
import { loadProject } from '#app/[org]/projects/load-project.ts';
import { limitRows } from '#app/[org]/settings/quotas/limit-rows.tsx';
import { LimitsForm } from '#app/[org]/settings/quotas/limits-form.tsx';
import { getRequestContext } from '#app/request-context.ts';
import { hasRight } from '#product/permissions.ts';
import { getProjectLimits } from '#product/quotas/get-project-limits.ts';
import { getSpikeProtection } from '#product/quotas/get-spike-protection.ts';
import { Card } from '#ui/card.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { PageBody, PageHeader } from '#ui/page-header.tsx';
import { saveProjectLimitsAction } from './rate-limit-actions.ts';
import { SpikeForm } from './spike-form.tsx';

export const metadata: Metadata = { title: 'Rate limits' };

/** What a project may send, and what is kept of it when one issue floods. */
export default async function RateLimitsPage({
  params,
}: {
  params: Promise<{ org: string; project: string }>;
}) {
  const { org, project: slug } = await params;
  const ctx = await getRequestContext(org);
  await loadProject(ctx, slug);
  const [limits, spike] = await Promise.all([getProjectLimits(ctx, slug), getSpikeProtection(ctx, slug)]);
  const canChange = hasRight(ctx.actor, 'project:write');
  return (
    <PageBody width="narrow">
      <PageHeader
        title="Rate limits"
        description="How much all client keys of this project together may send. What comes beyond is refused before it is stored, counted as rate limited, and SDKs are told to pause until the window ends."
      />
      <div className="flex flex-col gap-5">
        <Card id="spike" title="Spike protection">
          <SpikeForm orgSlug={org} projectSlug={slug} spike={spike} canChange={canChange} />
        </Card>
        <Card flush id="limits" title="Limits of the project">
          <LimitsForm
            rows={limitRows(limits, ctx.now())}
            action={saveProjectLimitsAction.bind(null, org, slug)}
            canChange={canChange}
          />
        </Card>
        <p className="max-w-[75ch] text-text-muted text-xs">
          Windows follow the clock in UTC. An empty field is no limit, 0 lets nothing in. The{' '}
          <Link href={`/${org}/settings/quotas`} className="text-accent underline underline-offset-2">
            quotas of the organization
          </Link>{' '}
          and the rate limits of the{' '}
          <Link
            href={`/${org}/settings/projects/${slug}/keys`}
            className="text-accent underline underline-offset-2"
          >
            client keys
          </Link>{' '}
          apply as well; whichever is reached first counts.
        </p>
        {canChange ? null : (
          <p className="text-sm text-text-muted">Ask an admin of the organization to change the limits.</p>
        )}
      </div>
    </PageBody>
  );
}
