import {
  filterEntries,
  firstValue,
  type PageFilters,
  parsePageFilters,
  type SearchParams,
  timeBounds,
  withQuery,
} from '#app/url-state.ts';
import type { Context } from '#product/context.ts';
import type { Question } from '#product/explore/explored-events.ts';
import { listProjects } from '#product/visible-projects.ts';
import type { GroupSort } from '#storage/ports/event-explore.ts';

/** What is asked of stored events, and how it is shown; all of it stands in the URL. */
export type ExploreState = {
  filters: PageFilters;
  query: string;
  /** Of the table of events, beside the title. */
  columns: readonly string[];
  order: 'newest' | 'oldest';
  /** Where the page of events begins; null for the first. */
  cursor: string | null;
  /** The field that events are grouped by; null for the events themselves. */
  group: string | null;
  groupSort: GroupSort;
  isDescending: boolean;
  /** Groups that are skipped. */
  offset: number;
};

/** The page that a component is part of: what its links change. */
export type ExplorePlace = { organizationSlug: string; state: ExploreState };

export const COLUMNS_DEFAULT: readonly string[] = [
  'timestamp',
  'issue',
  'environment',
  'release',
  'user.email',
];
export const PAGE_ROWS = 50;
const GROUP_SORTS: readonly GroupSort[] = ['events', 'users', 'first', 'last', 'value'];
const COLUMNS_READ_MAX = 50;

export function parseExploreState(params: SearchParams): ExploreState {
  const columns = [params.column ?? []].flat().filter((name) => name !== '');
  const sort = firstValue(params, 'sort') ?? '';
  const groupSort = GROUP_SORTS.find((each) => each === sort.replace(/^-/, ''));
  const offset = Number(firstValue(params, 'offset') ?? 0);
  return {
    filters: parsePageFilters(params),
    query: firstValue(params, 'query') ?? '',
    columns: columns.length > 0 ? [...new Set(columns)].slice(0, COLUMNS_READ_MAX) : COLUMNS_DEFAULT,
    order: sort === 'oldest' ? 'oldest' : 'newest',
    cursor: firstValue(params, 'cursor') || null,
    group: firstValue(params, 'group')?.trim() || null,
    groupSort: groupSort ?? 'events',
    isDescending: groupSort === undefined || sort.startsWith('-'),
    offset: Number.isSafeInteger(offset) && offset > 0 ? offset : 0,
  };
}

/** The address of a state; defaults are left out. A change of anything but the place starts at the first page. */
export function exploreHref(
  organizationSlug: string,
  state: ExploreState,
  change: Partial<ExploreState> = {},
): string {
  return withQuery(
    `/${organizationSlug}/explore/errors`,
    entriesOf({ ...state, cursor: null, offset: 0, ...change }),
  );
}

/** The same question as a file. */
export const exportHref = (organizationSlug: string, state: ExploreState): string =>
  withQuery(`/${organizationSlug}/explore/errors/csv`, entriesOf({ ...state, cursor: null, offset: 0 }));

function entriesOf(state: ExploreState): Record<string, string | readonly string[] | null> {
  const isDefault = state.columns.join('\n') === COLUMNS_DEFAULT.join('\n');
  return {
    ...filterEntries(state.filters),
    query: state.query || null,
    column: isDefault ? null : state.columns,
    group: state.group,
    sort: state.group === null ? eventSort(state) : groupSort(state),
    cursor: state.group === null ? state.cursor : null,
    offset: state.group !== null && state.offset > 0 ? String(state.offset) : null,
  };
}

const eventSort = ({ order }: ExploreState): string | null => (order === 'oldest' ? 'oldest' : null);

function groupSort({ groupSort, isDescending }: ExploreState): string | null {
  if (groupSort === 'events' && isDescending) return null;
  return isDescending ? `-${groupSort}` : groupSort;
}

/** The question of an address; projects that are not there are left out. */
export async function questionOf(ctx: Context, { filters, query }: ExploreState): Promise<Question> {
  const projects = new Set((await listProjects(ctx)).map((project) => project.slug));
  return {
    query,
    projectSlugs: filters.projects.filter((slug) => projects.has(slug)),
    environments: filters.environments,
    range: timeBounds(filters.time, ctx.now()),
  };
}
