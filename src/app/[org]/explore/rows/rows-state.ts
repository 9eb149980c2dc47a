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
import type { RowQuestion } from '#product/explore/rows/explored-rows.ts';
import type { Range } from '#product/time-buckets.ts';
import { listProjects } from '#product/visible-projects.ts';
import { renewErrorsParams } from './old-errors-address.ts';
import { readSelection, SELECTION, writeSelection } from './selection-address.ts';

/** The pages of rows, by the last part of their address; each begins with what is asked of it most. */
export const ROWS_PAGES = {
  errors: {
    dataset: 'errors',
    functionHint: 'count_unique(user)',
    one: 'event',
    query: '',
    fields: ['title', 'timestamp', 'issue', 'environment', 'release', 'user.email'],
    functions: ['count()', 'count_unique(user)', 'first_seen()', 'last_seen()'],
    groupBy: ['issue'],
    view: 'samples',
  },
  traces: {
    dataset: 'spans',
    functionHint: 'p95(span.duration)',
    one: 'span',
    query: 'is_transaction:true',
    fields: ['span.description', 'span.op', 'span.duration', 'span.status', 'project', 'timestamp'],
    functions: ['count()', 'p50(span.duration)', 'p95(span.duration)', 'failure_rate()'],
    groupBy: ['transaction'],
    view: 'samples',
  },
  logs: {
    dataset: 'logs',
    functionHint: 'count_unique(user.id)',
    one: 'line',
    query: '',
    fields: ['timestamp', 'severity', 'message'],
    functions: ['count()'],
    groupBy: ['severity'],
    view: 'samples',
  },
  metrics: {
    dataset: 'metrics',
    functionHint: 'p95(value)',
    one: 'value',
    query: '',
    fields: ['timestamp', 'metric.name', 'value', 'metric.unit', 'metric.type', 'project'],
    functions: ['count()', 'sum(value)', 'avg(value)', 'p95(value)'],
    groupBy: ['metric.name', 'metric.type', 'metric.unit'],
    view: 'groups',
  },
} as const satisfies Record<string, RowsPage>;

type RowsPage = {
  dataset: RowQuestion['dataset'];
  /** An example of a function. */
  functionHint: string;
  /** What one row is called. */
  one: string;
  query: string;
  fields: readonly string[];
  functions: readonly string[];
  groupBy: readonly string[];
  view: RowsView;
};

export type RowsPageName = keyof typeof ROWS_PAGES;
export const ROWS_PAGE_NAMES = Object.keys(ROWS_PAGES) as [RowsPageName, ...RowsPageName[]];
export type RowsView = 'samples' | 'groups';

/** What is asked of stored rows, and how it is shown; all of it stands in the URL. */
export type RowsState = {
  page: RowsPageName;
  filters: PageFilters;
  query: string;
  view: RowsView;
  /** Columns of the rows. */
  fields: readonly string[];
  groupBy: readonly string[];
  functions: readonly string[];
  /** A column of the table, with - in front for the largest first; null for the usual order. */
  sort: string | null;
  /** Where the page of rows begins; null for the first. */
  cursor: string | null;
  /** Groups that are skipped. */
  offset: number;
  /** Whether the period before is shown beside it. */
  isCompared: boolean;
  /** The part of the time that is explained, `peak` for the highest; null for none. */
  selection: Range | 'peak' | null;
};

export type RowsPlace = { organizationSlug: string; state: RowsState };

export const ROWS_PER_PAGE = 50;
const NAMES_READ_MAX = 20;

/** Parameters of an address as the framework hands them to a page. */
export const paramsIn = (search: URLSearchParams): SearchParams =>
  Object.fromEntries([...new Set(search.keys())].map((name) => [name, search.getAll(name)]));

export function parseRowsState(page: RowsPageName, given: SearchParams): RowsState {
  const params = page === 'errors' ? renewErrorsParams(given) : given;
  const usual: RowsPage = ROWS_PAGES[page];
  const names = (name: string, otherwise: readonly string[]): readonly string[] => {
    if (params[name] === undefined) return otherwise;
    const written = [params[name]].flat().filter((each) => each !== undefined && each !== '');
    return [...new Set(written)].slice(0, NAMES_READ_MAX);
  };
  const offset = Number(firstValue(params, 'offset') ?? 0);
  const view = firstValue(params, 'view');
  return {
    page,
    filters: parsePageFilters(params),
    query: firstValue(params, 'query') ?? usual.query,
    view: view === 'samples' || view === 'groups' ? view : usual.view,
    fields: names('field', usual.fields),
    groupBy: names('group', usual.groupBy),
    functions: names('function', usual.functions),
    sort: firstValue(params, 'sort') || null,
    cursor: firstValue(params, 'cursor') || null,
    offset: Number.isSafeInteger(offset) && offset > 0 ? offset : 0,
    isCompared: firstValue(params, 'compare') === 'before',
    selection: readSelection(firstValue(params, SELECTION)),
  };
}

/** The address of a state; defaults are left out. A change of anything but the place starts at the first page. */
export function rowsHref(
  { organizationSlug, state }: RowsPlace,
  change: Partial<RowsState> = {},
  file = '',
): string {
  const next = { ...state, cursor: null, offset: 0, ...change };
  return withQuery(`/${organizationSlug}/explore/${next.page}${file}`, entriesOf(next));
}

function entriesOf(state: RowsState): QueryEntries {
  const usual: RowsPage = ROWS_PAGES[state.page];
  // None at all is an entry of its own, and not the usual ones.
  const names = (value: readonly string[], otherwise: readonly string[]) =>
    value.join('\n') === otherwise.join('\n') ? null : value.length === 0 ? [''] : value;
  const group = names(state.groupBy, usual.groupBy);
  return {
    ...filterEntries(state.filters),
    query: state.query === usual.query ? null : state.query,
    // Beside a group it is always said: `renewErrorsParams` reads addresses without it.
    view: state.view === usual.view && group === null ? null : state.view,
    field: names(state.fields, usual.fields),
    group,
    function: names(state.functions, usual.functions),
    sort: state.sort,
    compare: state.isCompared ? 'before' : null,
    [SELECTION]: writeSelection(state.selection),
    cursor: state.view === 'samples' ? state.cursor : null,
    offset: state.view === 'groups' && state.offset > 0 ? String(state.offset) : null,
  };
}

/** The question of an address; projects that are not there are left out. */
export async function rowQuestionOf(ctx: Context, { page, filters, query }: RowsState): Promise<RowQuestion> {
  const projects = new Set((await listProjects(ctx)).map((project) => project.slug));
  return {
    dataset: ROWS_PAGES[page].dataset,
    query,
    projectSlugs: filters.projects.filter((slug) => projects.has(slug)),
    environments: filters.environments,
    range: timeBounds(filters.time, ctx.now()),
  };
}

/** The order that a table has until one is chosen. */
export const sortOf = ({ view, sort, functions }: RowsState): string =>
  sort ?? (view === 'samples' ? '-timestamp' : `-${functions[0] ?? 'count()'}`);
