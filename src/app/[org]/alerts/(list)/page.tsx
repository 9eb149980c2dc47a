import { BellPlus, SearchX } from 'lucide-react';
import type { Metadata } from 'next';
import { ListSearch } from '#app/[org]/settings/list-search.tsx';
import { PageFilters } from '#app/frame/page-filters.tsx';
import { getRequestContext } from '#app/request-context.ts';
import { filterEntries, firstValue, parsePageFilters, type SearchParams, withQuery } from '#app/url-state.ts';
import { settle } from '#lib/settle.ts';
import type { AlertRuleRow } from '#product/alerts/alert-rights.ts';
import { listAlertReceivers } from '#product/alerts/list-alert-receivers.ts';
import { listAlertRules } from '#product/alerts/list-alert-rules.ts';
import { listProjects } from '#product/projects/list-projects.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { formatPlural } from '#ui/format-number.ts';
import { Notice } from '#ui/notice.tsx';
import { PageBody, PageHeader } from '#ui/page-header.tsx';
import { ReloadButton } from '#ui/reload-button.tsx';
import { canChangeAlerts } from '../can-change-alerts.ts';
import { RuleList } from '../rule-list.tsx';

export const metadata: Metadata = { title: 'Alerts' };

/** Who is told of what: every rule of the projects. */
export default async function AlertsPage({
  params,
  searchParams,
}: {
  params: Promise<{ org: string }>;
  searchParams: Promise<SearchParams>;
}) {
  const { org } = await params;
  const asked = await searchParams;
  const query = firstValue(asked, 'query')?.trim() ?? '';
  const ctx = await getRequestContext(org);
  const projects = await listProjects(ctx);
  const filters = parsePageFilters(asked);
  const chosen = filters.projects.filter((slug) => projects.some((project) => project.slug === slug));
  const [rules, known] = await Promise.all([
    settle(listAlertRules(ctx, { projectSlugs: chosen })),
    listAlertReceivers(ctx),
  ]);
  const canChange = canChangeAlerts(ctx);
  const found = rules.ok ? rules.value.filter((row) => fits(row, query)) : [];
  const newHref = withQuery(`/${org}/alerts/new`, { project: chosen.length === 1 ? chosen : null });
  return (
    <PageBody>
      <PageHeader
        title="Alerts"
        description="Rules that tell people and programs what happens."
        actions={
          <>
            <ButtonLink href={`/${org}/settings/destinations`}>Destinations</ButtonLink>
            {canChange ? (
              <ButtonLink variant="primary" href={newHref}>
                New rule
              </ButtonLink>
            ) : null}
          </>
        }
      />
      <PageFilters
        filters={{ ...filters, projects: chosen }}
        projects={projects.map(({ slug, name }) => ({ slug, name }))}
        environments={null}
        hasTime={false}
      />
      {!rules.ok ? (
        <Notice tone="warning" title="The rules cannot be listed now" actions={<ReloadButton />}>
          {rules.reason}
        </Notice>
      ) : (
        <>
          {rules.value.length > 0 ? (
            <div className="mb-3 flex flex-wrap items-center gap-3">
              <ListSearch label="Search rules" placeholder="Part of a name" query={query} />
              <span className="text-sm text-text-muted">{formatPlural(found.length, 'rule')}</span>
            </div>
          ) : null}
          <div className="rounded-lg border bg-surface-raised">
            {found.length > 0 ? (
              <RuleList
                organizationSlug={org}
                rows={found}
                known={known}
                showsProject={projects.length > 1}
                now={ctx.now()}
              />
            ) : rules.value.length > 0 ? (
              <EmptyState
                icon={<SearchX />}
                title="No rule fits"
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
                title={chosen.length > 0 ? 'No alert rule in these projects' : 'No alert rule yet'}
                actions={
                  canChange ? (
                    <ButtonLink variant="primary" href={newHref}>
                      Make the first one
                    </ButtonLink>
                  ) : null
                }
              >
                {canChange
                  ? 'An error that nobody hears of is not monitored. Begin with a rule for new issues.'
                  : 'Nobody is told when something breaks. Ask an admin of the organization to make a rule.'}
              </EmptyState>
            )}
          </div>
        </>
      )}
    </PageBody>
  );
}

const fits = ({ rule, project }: AlertRuleRow, query: string): boolean =>
  `${rule.name} ${project.name} ${project.slug}`.toLowerCase().includes(query.toLowerCase());
