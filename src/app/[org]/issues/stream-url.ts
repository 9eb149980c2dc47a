import type { IssueSort } from '#domain/issues/issue.ts';
import { ISSUE_TABS, type IssueTab } from '#product/issues/count-issue-tabs.ts';
import {
  filterEntries,
  firstValue,
  type PageFilters,
  parsePageFilters,
  type SearchParams,
  withQuery,
} from '../../url-state.ts';

/** What the stream shows; all of it stands in the URL. */
export type StreamState = PageFilters & {
  query: string;
  sort: IssueSort;
  cursor: string | null;
};

export const QUERY_DEFAULT: string = ISSUE_TABS.unresolved;
const SORT_DEFAULT: IssueSort = 'date';

export const SORT_LABELS: Record<IssueSort, string> = {
  date: 'Last seen',
  new: 'First seen',
  trends: 'Trends',
  freq: 'Events',
  user: 'Users',
  priority: 'Priority',
};

export function parseStreamState(params: SearchParams): StreamState {
  const sort = firstValue(params, 'sort');
  return {
    ...parsePageFilters(params),
    query: firstValue(params, 'query') ?? QUERY_DEFAULT,
    sort: sort !== null && Object.hasOwn(SORT_LABELS, sort) ? (sort as IssueSort) : SORT_DEFAULT,
    cursor: firstValue(params, 'cursor') || null,
  };
}

/** The address of a state; defaults are left out. A change of anything but the cursor starts at the first page. */
export function streamHref(
  organizationSlug: string,
  state: StreamState,
  change: Partial<StreamState> = {},
): string {
  const next = { ...state, cursor: null, ...change };
  return withQuery(`/${organizationSlug}/issues`, {
    query: next.query === QUERY_DEFAULT ? null : next.query,
    ...filterEntries(next),
    sort: next.sort === SORT_DEFAULT ? null : next.sort,
    cursor: next.cursor,
  });
}

/** The tab whose search this is; null for a search of the user's own. */
export function currentTab(query: string): IssueTab | null {
  const words = query.trim().replace(/\s+/g, ' ');
  const tabs = Object.keys(ISSUE_TABS) as IssueTab[];
  return tabs.find((tab) => ISSUE_TABS[tab] === words) ?? null;
}
