import type { Context } from '#product/context.ts';
import { mayChange } from '#product/saved-searches/own-searches.ts';
import type { SavedQuery } from '#product/saved-searches/saved-search-store.ts';
import { ROWS_PAGE_NAMES, ROWS_PAGES, type RowsPageName, type RowsState, rowsHref } from './rows-state.ts';
import { describeQuery, type SavedQueryView } from './saved-query-view.ts';

/** What is kept of a question: all but the place in its pages. */
export function savedOf(state: RowsState): Pick<SavedQuery, 'dataset' | 'query' | 'question'> {
  const { page, query, view, fields, groupBy, functions, sort, isCompared, filters } = state;
  return {
    dataset: ROWS_PAGES[page].dataset,
    query,
    question: { view, fields, groupBy, functions, sort, isCompared, ...filters },
  };
}

/** The page that shows a saved question. */
export function stateOf({ dataset, query, question }: SavedQuery): RowsState {
  const { projects, environments, time, ...table } = question;
  return {
    page: pageOf(dataset),
    filters: { projects, environments, time },
    query,
    ...table,
    cursor: null,
    offset: 0,
    selection: null,
  };
}

const pageOf = (dataset: SavedQuery['dataset']): RowsPageName =>
  ROWS_PAGE_NAMES.find((name) => ROWS_PAGES[name].dataset === dataset) ?? 'errors';

/** As the menu shows it. */
export function viewOf(ctx: Context, saved: SavedQuery): SavedQueryView {
  const { id, name, isShared, isStarred } = saved;
  const state = stateOf(saved);
  return {
    id,
    name,
    isShared,
    isStarred,
    page: state.page,
    query: describeQuery(state),
    href: rowsHref({ organizationSlug: ctx.organization.slug, state }),
    canChange: mayChange(ctx, saved),
  };
}
