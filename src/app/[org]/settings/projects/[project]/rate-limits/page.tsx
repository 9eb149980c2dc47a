import type { Metadata } from 'next';
import { loadProjectPage } from '#app/[org]/projects/load-project.ts';
import {
  saveProjectLimitsAction,
  saveSpikeAction,
} from '#app/[org]/settings/projects/[project]/project-actions.ts';
import { SPIKE_FIELDS } from '#app/[org]/settings/projects/[project]/project-fields.ts';
import { limitRows } from '#app/[org]/settings/quotas/limit-rows.tsx';
import { LimitsForm } from '#app/[org]/settings/quotas/limits-form.tsx';
import { valuesOf } from '#app/forms/fields.ts';
import { FieldsForm } from '#app/forms/fields-form.tsx';
import type { PageRequest } from '#app/url-state.ts';
import { hasRight } from '#product/permissions.ts';
import { getProjectLimits } from '#product/quotas/limits.ts';
import { getSpikeProtection } from '#product/quotas/spike-protection.ts';
import { Card } from '#ui/card.tsx';
import { SettingsPage } from '#ui/page-header.tsx';
import { TextLink } from '#ui/text-link.tsx';

export const metadata: Metadata = { title: 'Rate limits' };

export default async function RateLimitsPage({ params }: PageRequest<'org' | 'project'>) {
  const { org, slug, ctx } = await loadProjectPage(params);
  const [limits, spike] = await Promise.all([getProjectLimits(ctx, slug), getSpikeProtection(ctx, slug)]);
  const canChange = hasRight(ctx.actor, 'project:write');
  return (
    <SettingsPage
      title="Rate limits"
      description="How much all client keys of this project together can send. Anything over a limit is rejected and counted as rate limited, and SDKs pause until the window resets."
      lockedNote={canChange ? null : 'Ask an admin to change the limits.'}
    >
      <Card id="spike" title="Spike protection">
        <FieldsForm
          fields={SPIKE_FIELDS}
          values={valuesOf(SPIKE_FIELDS, spike)}
          save={
            canChange
              ? {
                  action: saveSpikeAction.bind(null, org, { projectSlug: slug }),
                  label: 'Save spike protection',
                  doneTitle: 'Spike protection saved. It takes effect within a few seconds.',
                }
              : null
          }
        />
      </Card>
      <Card flush id="limits" title="Project limits">
        <LimitsForm
          rows={limitRows(limits, ctx.now())}
          action={saveProjectLimitsAction.bind(null, org, { projectSlug: slug })}
          canChange={canChange}
        />
      </Card>
      <p className="max-w-[75ch] text-text-muted text-xs">
        Windows follow the UTC clock. Leave a field empty for no limit; enter 0 to accept nothing. The{' '}
        <TextLink href={`/${org}/settings/quotas`}>organization quotas</TextLink> and the rate limits of{' '}
        <TextLink href={`/${org}/settings/projects/${slug}/keys`}>client keys</TextLink> apply as well; the
        first limit reached applies.
      </p>
    </SettingsPage>
  );
}
