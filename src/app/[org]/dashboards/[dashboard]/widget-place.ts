import type { PageFilters } from '#app/url-state.ts';
import type { Widget } from '#domain/dashboards/dashboard.ts';
import { queriesOf } from '#domain/dashboards/widget-queries.ts';
import { narrowed } from '#product/dashboards/read-widget.ts';
import { questionOf } from '#product/dashboards/widget-question.ts';
import { ROWS_PAGE_NAMES, ROWS_PAGES, type RowsPlace } from '../../explore/rows/rows-state.ts';
import { valueTerm } from '../../explore/rows/value-term.ts';
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
  variables.flatMap(({ field, value }) =>
    value === '' ? [] : (valueTerm(pageOf(widget), field, value) ?? []),
  );

export const pageOf = ({ dataset }: Pick<Widget, 'dataset'>) =>
  ROWS_PAGE_NAMES.find((name) => ROWS_PAGES[name].dataset === dataset) ?? 'errors';
