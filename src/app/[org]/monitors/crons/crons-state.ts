import {
  filterEntries,
  firstValue,
  type PageFilters,
  parsePageFilters,
  type SearchParams,
  withQuery,
} from '#app/url-state.ts';

/** What the list of cron monitors shows; all of it stands in the URL. */
export type CronsState = { filters: PageFilters; search: string; cursor: string | null };

export const parseCronsState = (params: SearchParams): CronsState => ({
  filters: parsePageFilters(params),
  search: firstValue(params, 'query')?.trim() ?? '',
  cursor: firstValue(params, 'cursor') || null,
});

/** The address of a state; a change of anything but the cursor starts at the first page. */
export function cronsHref(
  organizationSlug: string,
  state: CronsState,
  change: Partial<CronsState> = {},
): string {
  const { filters, search, cursor } = { ...state, cursor: null, ...change };
  return withQuery(`/${organizationSlug}/monitors/crons`, {
    ...filterEntries(filters),
    query: search || null,
    cursor,
  });
}

export const cronHref = (organizationSlug: string, monitorId: number): string =>
  `/${organizationSlug}/monitors/crons/${monitorId}`;
