import type { PageFilters } from '#app/url-state.ts';
import type { Widget } from '#domain/dashboards/dashboard.ts';
import { queriesOf } from '#domain/dashboards/widget-queries.ts';
import { narrowed } from '#product/dashboards/read-widget.ts';
import { questionOf } from '#product/dashboards/widget-question.ts';
import { USER_KINDS } from '#storage/ports/user-activity.ts';
import {
  ROWS_PAGE_NAMES,
  ROWS_PAGES,
  type RowsPageName,
  type RowsPlace,
} from '../../explore/rows/rows-state.ts';
import { valueTerm } from '../../explore/rows/value-term.ts';
import { searchTerm } from '../../search-box/search-term.ts';
import type { ChosenVariable } from '../dashboard-state.ts';

/** Where Explore shows the rows of each query of a widget, narrowed as the dashboard is. */
export function placesOf(
  organizationSlug: string,
  widget: Widget,
  filters: PageFilters,
  variables: readonly ChosenVariable[],
): readonly [RowsPlace, ...RowsPlace[]] {
  const terms = termsFor(widget, variables);
  const placeOf = (query: string): RowsPlace => ({
    organizationSlug,
    state: stateOf(widget, filters, narrowed(query, terms)),
  });
  const [first, ...others] = queriesOf(widget);
  return [placeOf(first.query), ...others.map(({ query }) => placeOf(query))];
}

function stateOf(widget: Widget, filters: PageFilters, query: string): RowsPlace['state'] {
  const { view, fields, groupBy, functions, sort } = questionOf(widget);
  const page = pageOf(widget);
  return {
    page,
    filters,
    query,
    view,
    // Of what is counted, rows are shown as they usually are.
    fields: view === 'samples' ? fields : ROWS_PAGES[page].fields,
    groupBy,
    functions,
    sort,
    cursor: null,
    offset: 0,
    isCompared: false,
    selection: null,
  };
}

/** What the choices of variables add to the search of a widget. */
export const termsFor = (widget: Widget, variables: readonly ChosenVariable[]): readonly string[] =>
  variables.flatMap(({ field, value }) => (value === '' ? [] : (termOf(pageOf(widget), field, value) ?? [])));

/** A value that was typed, or one that the page offers; where no search names it, one that finds nothing. */
function termOf(page: RowsPageName, field: string, value: string): string | null {
  if (field !== 'user') return valueTerm(page, field, value) ?? searchTerm(field, value);
  // Rows other than errors know a user by the ID alone.
  if (page !== 'errors') return valueTerm(page, field, value.replace(/^id:/, ''));
  const anyName = USER_KINDS.map((kind) => searchTerm(`user.${kind}`, value)).join(' OR ');
  return valueTerm(page, field, value) ?? `(${anyName})`;
}

export const pageOf = ({ dataset }: Pick<Widget, 'dataset'>) =>
  ROWS_PAGE_NAMES.find((name) => ROWS_PAGES[name].dataset === dataset) ?? 'errors';
