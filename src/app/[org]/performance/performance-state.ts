import {
  filterEntries,
  firstValue,
  type PageFilters,
  parsePageFilters,
  type QueryEntries,
  type SearchParams,
  timeBounds,
  withQuery,
} from '#app/url-state.ts';
import type { Context } from '#product/context.ts';
import {
  bothSearches,
  exactTerm,
  type PerformanceQuestion,
} from '#product/performance/performance-search.ts';
import type { PerformanceModule } from '#product/performance/performance-tables.ts';
import { listProjects } from '#product/visible-projects.ts';

/** The pages of the section, in the order of their tabs. */
export const PERFORMANCE_TABS = [
  { tab: 'transactions', label: 'Transactions', path: '' },
  { tab: 'web-vitals', label: 'Web vitals', path: '/web-vitals' },
  { tab: 'queries', label: 'Queries', path: '/queries' },
  { tab: 'requests', label: 'Requests', path: '/requests' },
  { tab: 'caches', label: 'Caches', path: '/caches' },
  { tab: 'queues', label: 'Queues', path: '/queues' },
] as const;

export type PerformanceTab = (typeof PERFORMANCE_TABS)[number]['tab'];
export const MODULES: readonly string[] = ['queries', 'requests', 'caches', 'queues'];
export const isModule = (text: string): text is PerformanceModule => MODULES.includes(text);

/** What a page shows; all of it stands in the URL. */
export type PerformanceState = {
  filters: PageFilters;
  query: string;
  /** A column of the table, with - in front for the largest first; null for the usual order. */
  sort: string | null;
  /** Groups that are skipped. */
  offset: number;
};

/** An address of the section without its filters. */
export type PerformancePlace = { organizationSlug: string; tab: PerformanceTab; state: PerformanceState };

export const GROUPS_PER_PAGE = 50;

/** A new search or filter starts at the first page, as with cursors: the parameter is the same. */
export function parsePerformanceState(params: SearchParams): PerformanceState {
  const offset = Number(firstValue(params, 'cursor') ?? 0);
  return {
    filters: parsePageFilters(params),
    query: firstValue(params, 'query') ?? '',
    sort: firstValue(params, 'sort') || null,
    offset: Number.isSafeInteger(offset) && offset > 0 ? offset : 0,
  };
}

/** The address of a state; defaults are left out. A change of anything but the page starts at the first one. */
export function performanceHref(
  { organizationSlug, tab, state }: PerformancePlace,
  change: Partial<PerformanceState> = {},
): string {
  const next = { ...state, offset: 0, ...change };
  const path = PERFORMANCE_TABS.find((each) => each.tab === tab)?.path ?? '';
  return withQuery(`/${organizationSlug}/performance${path}`, {
    ...filterEntries(next.filters),
    query: next.query || null,
    sort: next.sort,
    cursor: next.offset > 0 ? String(next.offset) : null,
  });
}

/** The spans that a number counts, in Explore: those of the page that have the values of the group. */
export function spansHref(
  organizationSlug: string,
  { filters, query }: Pick<PerformanceState, 'filters' | 'query'>,
  {
    within,
    keys = [],
    entries = {},
  }: {
    /** The search of the page, and what else a number is of. */
    within: string;
    keys?: readonly { field: string; value: string }[];
    entries?: QueryEntries;
  },
): string {
  const project = keys.find(({ field }) => field === 'project')?.value;
  const terms = keys.flatMap(({ field, value }) => (field === 'project' ? [] : [exactTerm(field, value)]));
  return withQuery(`/${organizationSlug}/explore/traces`, {
    ...filterEntries(project === undefined ? filters : { ...filters, projects: [project] }),
    query: bothSearches([within, ...terms].join(' '), query),
    ...entries,
  });
}

/** The question of an address; projects that are not there are left out. */
export async function performanceQuestion(
  ctx: Context,
  { filters, query }: PerformanceState,
): Promise<PerformanceQuestion> {
  const projects = new Set((await listProjects(ctx)).map(({ slug }) => slug));
  return {
    query,
    projectSlugs: filters.projects.filter((slug) => projects.has(slug)),
    environments: filters.environments,
    range: timeBounds(filters.time, ctx.now()),
  };
}
