import { filterEntries, type PageFilters, withQuery } from '#app/url-state.ts';

/** The page of a transaction, with the filters kept. */
export const transactionHref = (
  organizationSlug: string,
  projectSlug: string,
  transaction: string,
  filters: PageFilters | null = null,
): string =>
  withQuery(`/${organizationSlug}/performance/transactions/${encodeURIComponent(projectSlug)}`, {
    transaction,
    ...(filters ? filterEntries({ ...filters, projects: [] }) : {}),
  });
