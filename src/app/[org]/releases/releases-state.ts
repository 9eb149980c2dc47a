import {
  filterEntries,
  firstValue,
  type PageFilters,
  parsePageFilters,
  type SearchParams,
  withQuery,
} from '#app/url-state.ts';
import {
  RELEASE_RANKS,
  RELEASE_SORTS,
  type ReleaseRank,
  type ReleaseSort,
} from '#product/releases/release.ts';

/** What the list of releases shows; all of it stands in the URL. */
export type ReleasesState = {
  filters: PageFilters;
  /** Part of a version. */
  search: string;
  sort: ReleaseSort | ReleaseRank;
  /** Archived releases instead of all others. */
  isArchived: boolean;
  cursor: string | null;
};

export function parseReleasesState(params: SearchParams): ReleasesState {
  return {
    filters: parsePageFilters(params),
    search: firstValue(params, 'query') ?? '',
    sort: readSort(params),
    isArchived: firstValue(params, 'status') === 'archived',
    cursor: firstValue(params, 'cursor') || null,
  };
}

const readSort = (params: SearchParams): ReleasesState['sort'] =>
  [...RELEASE_SORTS, ...RELEASE_RANKS].find((sort) => sort === firstValue(params, 'sort')) ?? 'date';

/** The address of a state; defaults are left out. A change of anything but the cursor starts at the first page. */
export function releasesHref(
  organizationSlug: string,
  state: ReleasesState,
  change: Partial<ReleasesState> = {},
): string {
  const next = { ...state, cursor: null, ...change };
  return withQuery(`/${organizationSlug}/releases`, {
    ...filterEntries(next.filters),
    query: next.search || null,
    sort: next.sort === 'date' ? null : next.sort,
    status: next.isArchived ? 'archived' : null,
    cursor: next.cursor,
  });
}
