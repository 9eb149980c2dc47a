import { LayoutDashboard } from 'lucide-react';
import type { Metadata } from 'next';
import { dashboardHref } from '#app/[org]/dashboard-href.ts';
import { getRequestContext } from '#app/request-context.ts';
import { EmptyPanel, Panel } from '#app/shell/panel.tsx';
import type { PageRequest } from '#app/url-state.ts';
import { visibleText } from '#lib/visible-text.ts';
import { listDashboards } from '#product/dashboards/dashboards.ts';
import { hasRight } from '#product/permissions.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { Page } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { numeric, Table, Td, Tr } from '#ui/table.tsx';
import { StarButton } from '../star-button.tsx';

export const metadata: Metadata = { title: 'Dashboards' };

/** Boards of the organization, those that the reader starred first. */
export default async function DashboardsPage({ params }: PageRequest<'org'>) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  const dashboards = await listDashboards(ctx);
  const canCreate = hasRight(ctx.actor, 'event:write');
  const create = canCreate ? (
    <ButtonLink variant="primary" href={`/${org}/dashboards/new`}>
      Create dashboard
    </ButtonLink>
  ) : null;
  return (
    <Page
      title="Dashboards"
      description="Charts, tables and numbers over errors, spans, logs and metrics."
      actions={create}
    >
      {dashboards.length === 0 ? (
        <EmptyPanel icon={<LayoutDashboard />} title="No dashboards yet" actions={create}>
          {canCreate
            ? 'Begin with a template for a web app, a backend, a mobile app or releases, or import one from Sentry.'
            : 'Ask a member of the organization to create one.'}
        </EmptyPanel>
      ) : (
        <Panel>
          <Table label="Dashboards" columns={['Star', 'Title', numeric('Widgets'), 'Created by', 'Updated']}>
            {dashboards.map((dashboard) => (
              <Tr key={dashboard.id}>
                <Td className="w-10">
                  <StarButton
                    organizationSlug={org}
                    dashboardId={dashboard.id}
                    title={dashboard.title}
                    isStarred={dashboard.isStarred}
                  />
                </Td>
                <Td className="min-w-48 max-w-96 max-sm:max-w-56">
                  <Link
                    href={dashboardHref(org, dashboard)}
                    className="block truncate font-medium text-text no-underline hover:underline"
                  >
                    <bdi>{visibleText(dashboard.title)}</bdi>
                  </Link>
                  {dashboard.description ? (
                    <bdi className="block truncate text-text-muted text-xs">
                      {visibleText(dashboard.description)}
                    </bdi>
                  ) : null}
                </Td>
                <Td numeric>{dashboard.widgets.length}</Td>
                <Td>
                  <bdi>{visibleText(dashboard.createdBy?.name ?? '–')}</bdi>
                </Td>
                <Td className="whitespace-nowrap">
                  <RelativeTime at={dashboard.updatedAt} now={ctx.now()} />
                </Td>
              </Tr>
            ))}
          </Table>
        </Panel>
      )}
    </Page>
  );
}
