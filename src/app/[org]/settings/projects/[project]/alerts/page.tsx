import { BellPlus } from 'lucide-react';
import type { Metadata } from 'next';
import { RuleList } from '#app/[org]/alerts/rule-list.tsx';
import { loadProjectPage } from '#app/[org]/projects/load-project.ts';
import { type PageRequest, withQuery } from '#app/url-state.ts';
import { getDeliveryHealth } from '#product/alerts/get-delivery-health.ts';
import { canChangeAlerts, listAlertReceivers, listAlertRules } from '#product/alerts/list-alert-rules.ts';
import { getServices } from '#product/services.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Page } from '#ui/page-header.tsx';

export const metadata: Metadata = { title: 'Alerts' };

export default async function ProjectAlertsPage({ params }: PageRequest<'org' | 'project'>) {
  const { org, slug, ctx } = await loadProjectPage(params);
  const [rows, known] = await Promise.all([
    listAlertRules(ctx, { projectSlugs: [slug] }),
    listAlertReceivers(ctx),
  ]);
  const { rules: deliveries } = await getDeliveryHealth(
    ctx,
    getServices().mailer,
    rows.map(({ rule }) => rule),
  );
  const canChange = canChangeAlerts(ctx);
  const newHref = withQuery(`/${org}/alerts/new`, { project: slug });
  return (
    <Page
      width="narrow"
      title="Alerts"
      description="Alert rules for this project. New projects start with a rule for new and regressed errors."
      actions={
        canChange ? (
          <ButtonLink variant="primary" href={newHref}>
            Create rule
          </ButtonLink>
        ) : null
      }
    >
      <Card flush id="rules" title="Rules">
        {rows.length > 0 ? (
          <RuleList
            organizationSlug={org}
            rows={rows}
            known={known}
            deliveries={deliveries}
            showsProject={false}
            now={ctx.now()}
          />
        ) : (
          <EmptyState icon={<BellPlus />} title="No alert rules for this project">
            {canChange
              ? 'No one is notified when something breaks. Start with a rule for new issues.'
              : 'No one is notified when something breaks. Ask an admin to create a rule.'}
          </EmptyState>
        )}
      </Card>
    </Page>
  );
}
