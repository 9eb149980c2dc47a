import { filterEntries, type PageFilters, parsePageFilters, withQuery } from '#app/url-state.ts';
import type { Dashboard, DashboardFilters } from '#domain/dashboards/dashboard.ts';

/** Where a dashboard is opened: with the filters that were saved with it. */
export const dashboardHref = (
  organizationSlug: string,
  { id, filters }: Pick<Dashboard, 'id' | 'filters'>,
): string => withQuery(`/${organizationSlug}/dashboards/${id}`, filterEntries(savedFilters(filters)));

/** Filters of a dashboard as those of a page. */
export const savedFilters = ({ projects, environments, period }: DashboardFilters): PageFilters => ({
  projects,
  environments,
  time: period === null ? parsePageFilters({}).time : { kind: 'last', period },
});
