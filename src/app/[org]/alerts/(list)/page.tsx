import { BellPlus, SearchX } from 'lucide-react';
import type { Metadata } from 'next';
import { ListSearch } from '#app/[org]/list-search.tsx';
import { getRequestContext } from '#app/request-context.ts';
import { PageFilters } from '#app/shell/page-filters.tsx';
import { filterEntries, firstValue, type PageRequest, parsePageFilters, withQuery } from '#app/url-state.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { getDeliveryHealth } from '#product/alerts/get-delivery-health.ts';
import {
  type AlertRuleRow,
  canChangeAlerts,
  listAlertReceivers,
  listAlertRules,
} from '#product/alerts/list-alert-rules.ts';
import { getServices } from '#product/services.ts';
import { listProjects } from '#product/visible-projects.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { formatPlural } from '#ui/format-number.ts';
import { Notice } from '#ui/notice.tsx';
import { Page } from '#ui/page-header.tsx';
import { ReloadButton } from '#ui/reload-button.tsx';
import { DeliveryBanner } from '../delivery-banner.tsx';
import { RuleList } from '../rule-list.tsx';

export const metadata: Metadata = { title: 'Alerts' };

/** All alert rules of the chosen projects. */
export default async function AlertsPage({ params, searchParams }: PageRequest<'org'>) {
  const { org } = await params;
  const requested = await searchParams;
  const query = firstValue(requested, 'query')?.trim() ?? '';
  const ctx = await getRequestContext(org);
  const projects = await listProjects(ctx);
  const filters = parsePageFilters(requested);
  const chosen = filters.projects.filter((slug) => projects.some((project) => project.slug === slug));
  const [rules, known] = await Promise.all([
    orUnavailable(listAlertRules(ctx, { projectSlugs: chosen })),
    listAlertReceivers(ctx),
  ]);
  const rows = rules.ok ? rules.value : [];
  const { rules: deliveries } = await getDeliveryHealth(
    ctx,
    getServices().mailer,
    rows.map(({ rule }) => rule),
  );
  const canChange = canChangeAlerts(ctx);
  const found = rows.filter((row) => fits(row, query));
  const newHref = withQuery(`/${org}/alerts/new`, { project: chosen.length === 1 ? chosen : null });
  return (
    <Page
      title="Alerts"
      description="Rules that notify people and services when something needs attention."
      actions={
        <>
          <ButtonLink href={`/${org}/settings/destinations`}>Destinations</ButtonLink>
          {canChange ? (
            <ButtonLink variant="primary" href={newHref}>
              Create rule
            </ButtonLink>
          ) : null}
        </>
      }
    >
      <PageFilters
        filters={{ ...filters, projects: chosen }}
        projects={projects.map(({ slug, name, platform }) => ({ slug, name, platform }))}
        environments={null}
        hasTime={false}
      />
      {!rules.ok ? (
        <Notice tone="warning" title="Couldn’t load alert rules" actions={<ReloadButton />}>
          {rules.reason}
        </Notice>
      ) : (
        <>
          <DeliveryBanner
            organizationSlug={org}
            rows={rows}
            rules={deliveries}
            known={known}
            now={ctx.now()}
          />
          {rows.length > 0 ? (
            <div className="mb-3 flex flex-wrap items-center gap-3">
              <ListSearch label="Search rules" placeholder="Search rules" query={query} />
              <span className="text-sm text-text-muted">{formatPlural(found.length, 'rule')}</span>
            </div>
          ) : null}
          <div className="rounded-lg border bg-surface-raised">
            {found.length > 0 ? (
              <RuleList
                organizationSlug={org}
                rows={found}
                known={known}
                deliveries={deliveries}
                showsProject={projects.length > 1}
                now={ctx.now()}
              />
            ) : rows.length > 0 ? (
              <EmptyState
                icon={<SearchX />}
                title="No matching rules"
                actions={
                  <ButtonLink
                    href={withQuery(`/${org}/alerts`, { project: filterEntries(filters).project ?? null })}
                  >
                    Show all rules
                  </ButtonLink>
                }
              />
            ) : (
              <EmptyState
                icon={<BellPlus />}
                title={chosen.length > 0 ? 'No alert rules in these projects' : 'No alert rules yet'}
                actions={
                  canChange ? (
                    <ButtonLink variant="primary" href={newHref}>
                      Create your first rule
                    </ButtonLink>
                  ) : null
                }
              >
                {canChange
                  ? 'Get notified when something breaks. Start with a rule for new issues.'
                  : 'No one is notified when something breaks. Ask an organization admin to create a rule.'}
              </EmptyState>
            )}
          </div>
        </>
      )}
    </Page>
  );
}

const fits = ({ rule, project }: AlertRuleRow, query: string): boolean =>
  `${rule.name} ${project.name} ${project.slug}`.toLowerCase().includes(query.toLowerCase());
