import { LayoutDashboard, Pencil } from 'lucide-react';
import { ActionButton, ConfirmDelete } from '#app/forms/confirm-action.tsx';
import { PageFilters } from '#app/shell/page-filters.tsx';
import { EmptyPanel } from '#app/shell/panel.tsx';
import { filterEntries, type PageRequest, withQuery } from '#app/url-state.ts';
import type { Dashboard, Widget } from '#domain/dashboards/dashboard.ts';
import { limitConcurrency } from '#lib/limit-concurrency.ts';
import { visibleText } from '#lib/visible-text.ts';
import { listVariableValues } from '#product/dashboards/list-variable-values.ts';
import { hasRight } from '#product/permissions.ts';
import { listEnvironments } from '#product/projects/list-project-summaries.ts';
import { getDashboardSharing } from '#product/sharing/dashboard-sharing.ts';
import { SHARE_DAYS, SHARE_DAYS_DEFAULT } from '#product/sharing/sharing.ts';
import { listProjects } from '#product/visible-projects.ts';
import { buttonClass } from '#ui/button.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { formatUtcDay } from '#ui/format-time.ts';
import { Page } from '#ui/page-header.tsx';
import {
  arrangeWidgetsAction,
  deleteDashboardAction,
  duplicateDashboardAction,
} from '../dashboard-actions.ts';
import {
  type DashboardState,
  parseDashboardState,
  VARIABLE_PARAMETER,
  variableEntries,
} from '../dashboard-state.ts';
import { StarButton } from '../star-button.tsx';
import { loadDashboard } from './load-dashboard.ts';
import { SaveFilters } from './save-filters.tsx';
import { ShareDashboard } from './share-dashboard.tsx';
import { VariableFields } from './variable-fields.tsx';
import { readerOf, WidgetCard } from './widget-card.tsx';
import { WidgetGrid } from './widget-grid.tsx';

/** Questions of one page that are asked at the same time. */
const WIDGETS_AT_ONCE = 3;

export async function generateMetadata({ params }: PageRequest<'org' | 'dashboard'>) {
  const { dashboard } = await loadDashboard(params);
  return { title: visibleText(dashboard.title) };
}

/** A board of widgets, each loaded by itself. */
export default async function DashboardPage({ params, searchParams }: PageRequest<'org' | 'dashboard'>) {
  const { org, ctx, dashboard } = await loadDashboard(params);
  const requested = parseDashboardState(dashboard, await searchParams);
  const projects = await listProjects(ctx);
  const known = requested.filters.projects.filter((slug) =>
    projects.some((project) => project.slug === slug),
  );
  const state = { ...requested, filters: { ...requested.filters, projects: known } };
  const canChange = hasRight(ctx.actor, 'event:write');
  const isEditing = canChange && state.isEditing;
  const [environments, values, sharing] = await Promise.all([
    listEnvironments(ctx, known),
    listVariableValues(ctx, dashboard.variables, known),
    canChange ? getDashboardSharing(ctx, dashboard.id) : null,
  ]);
  const read = limitConcurrency(readerOf(ctx, state.filters, state.variables), WIDGETS_AT_ONCE);
  return (
    <Page
      title={<bdi>{visibleText(dashboard.title)}</bdi>}
      description={dashboard.description ? <bdi>{visibleText(dashboard.description)}</bdi> : null}
      actions={<Actions org={org} dashboard={dashboard} state={state} sharing={sharing} />}
    >
      <PageFilters
        filters={state.filters}
        projects={projects.map(({ slug, name, platform }) => ({ slug, name, platform }))}
        environments={environments}
        trailing={
          canChange ? (
            <SaveFilters organizationSlug={org} dashboard={dashboard} filters={state.filters} />
          ) : null
        }
      />
      <VariableFields variables={state.variables} values={values} />
      {dashboard.widgets.length === 0 ? (
        <EmptyPanel
          icon={<LayoutDashboard />}
          title="No widgets yet"
          actions={
            canChange ? (
              <ButtonLink variant="primary" href={`/${org}/dashboards/${dashboard.id}/widget`}>
                Add widget
              </ButtonLink>
            ) : null
          }
        >
          A widget shows numbers over errors, spans, logs or metrics, or a text.
        </EmptyPanel>
      ) : (
        <WidgetGrid
          key={`${dashboard.version} ${isEditing}`}
          sizes={dashboard.widgets.map(({ id, title, width, height }) => ({ id, title, width, height }))}
          arrange={isEditing ? arrangeWidgetsAction.bind(null, org) : null}
          seen={{ id: dashboard.id, version: dashboard.version }}
          doneHref={hrefOf(org, dashboard, state, false)}
        >
          {dashboard.widgets.map((widget) => (
            <WidgetCard
              key={widget.id}
              organizationSlug={org}
              widget={widget}
              filters={state.filters}
              variables={state.variables}
              read={read}
              now={ctx.now()}
              actions={
                canChange && !isEditing ? <EditLink org={org} dashboard={dashboard} widget={widget} /> : null
              }
            />
          ))}
        </WidgetGrid>
      )}
    </Page>
  );
}

const EditLink = ({ org, dashboard, widget }: { org: string; dashboard: Dashboard; widget: Widget }) => (
  <ButtonLink
    variant="ghost"
    size="sm"
    iconOnly
    aria-label={`Edit ${widget.title}`}
    title="Edit"
    href={withQuery(`/${org}/dashboards/${dashboard.id}/widget`, { id: widget.id })}
  >
    <Pencil aria-hidden className="size-3.5" />
  </ButtonLink>
);

const hrefOf = (org: string, dashboard: Dashboard, state: DashboardState, isEditing: boolean): string =>
  withQuery(`/${org}/dashboards/${dashboard.id}`, {
    ...filterEntries(state.filters),
    [VARIABLE_PARAMETER]: variableEntries(state.variables),
    edit: isEditing ? '1' : null,
  });

function Actions({
  org,
  dashboard,
  state,
  sharing,
}: {
  org: string;
  dashboard: Dashboard;
  state: DashboardState;
  /** null for a reader who may not change it. */
  sharing: Awaited<ReturnType<typeof getDashboardSharing>> | null;
}) {
  const path = `/${org}/dashboards/${dashboard.id}`;
  return (
    <>
      <StarButton
        organizationSlug={org}
        dashboardId={dashboard.id}
        title={dashboard.title}
        isStarred={dashboard.isStarred}
      />
      <a href={`${path}/json`} download className={buttonClass({})}>
        Export
      </a>
      {sharing ? (
        <>
          <ShareDashboard
            organizationSlug={org}
            dashboardId={dashboard.id}
            sharing={{
              isAllowed: sharing.isAllowed,
              until: sharing.share && formatUtcDay(sharing.share.expiresAt),
              days: SHARE_DAYS,
              daysDefault: SHARE_DAYS_DEFAULT,
            }}
            projects={dashboard.filters.projects}
          />
          <ActionButton action={duplicateDashboardAction.bind(null, org, dashboard.id)} label="Duplicate" />
          <ButtonLink href={`${path}/edit`}>Settings</ButtonLink>
          {dashboard.widgets.length > 0 && !state.isEditing ? (
            <ButtonLink href={hrefOf(org, dashboard, state, true)}>Arrange</ButtonLink>
          ) : null}
          <ButtonLink variant="primary" href={`${path}/widget`}>
            Add widget
          </ButtonLink>
          <ConfirmDelete
            name={dashboard.title}
            consequence="Everyone in the organization loses this dashboard."
            action={deleteDashboardAction.bind(null, org, dashboard.id)}
            afterHref={`/${org}/dashboards`}
          />
        </>
      ) : null}
    </>
  );
}
