import type { PageFilters } from '#app/url-state.ts';
import type { Widget } from '#domain/dashboards/dashboard.ts';
import { narrowed } from '#product/dashboards/read-widget.ts';
import { questionOf } from '#product/dashboards/widget-question.ts';
import { ROWS_PAGE_NAMES, ROWS_PAGES, type RowsPlace } from '../../explore/rows/rows-state.ts';
import { valueTerm } from '../../explore/rows/value-term.ts';
import type { ChosenVariable } from '../dashboard-state.ts';

/** The page of Explore that shows the rows of a widget, narrowed as the dashboard is. */
export function placeOf(
  organizationSlug: string,
  widget: Widget,
  filters: PageFilters,
  variables: readonly ChosenVariable[],
): RowsPlace {
  const { view, fields, groupBy, functions, sort } = questionOf(widget);
  return {
    organizationSlug,
    state: {
      page: pageOf(widget),
      filters,
      query: narrowed(widget.query, termsFor(widget, variables)),
      view,
      fields,
      groupBy,
      functions,
      sort,
      cursor: null,
      offset: 0,
      isCompared: false,
      selection: null,
    },
  };
}

/** What the choices of variables add to the search of a widget. */
export const termsFor = (widget: Widget, variables: readonly ChosenVariable[]): readonly string[] =>
  variables.flatMap(({ field, value }) =>
    value === '' ? [] : (valueTerm(pageOf(widget), field, value) ?? []),
  );

const pageOf = ({ dataset }: Widget) =>
  ROWS_PAGE_NAMES.find((name) => ROWS_PAGES[name].dataset === dataset) ?? 'errors';
