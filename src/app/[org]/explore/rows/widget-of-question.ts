import { WIDGET, type Widget } from '#domain/dashboards/dashboard.ts';
import { narrowed } from '#product/dashboards/read-widget.ts';
import { quoteValue } from '../../search-box/search-term.ts';
import { ROWS_PAGES, type RowsState } from './rows-state.ts';

/**
 * A question of Explore as a widget. Projects and environments become a part of its search, unless the dashboard has them
 * as its own filters.
 */
export function widgetOfQuestion(
  state: RowsState,
  { id, title, display, keepsFilters }: Pick<Widget, 'id' | 'title' | 'display'> & { keepsFilters: boolean },
): Widget {
  const isList = display === 'list';
  const isOfRows = state.view === 'samples';
  const { projects, environments } = state.filters;
  const terms = keepsFilters ? [...oneOf('project', projects), ...oneOf('environment', environments)] : [];
  return WIDGET.parse({
    id,
    title,
    display,
    dataset: ROWS_PAGES[state.page].dataset,
    query: narrowed(state.query, terms),
    // Rows themselves are neither grouped nor counted by a function of their own.
    functions: isOfRows ? ['count()'] : state.functions.slice(0, NAMES_MAX),
    groupBy: isOfRows || display === 'number' ? [] : state.groupBy.slice(0, NAMES_MAX),
    fields: isList ? state.fields.slice(0, NAMES_MAX) : [],
    sort: isList === isOfRows && display !== 'number' ? state.sort : null,
    limit: isList || display === 'table' ? ROWS_SHOWN : LINES_SHOWN,
  });
}

/** Of a widget. */
const NAMES_MAX = 10;
const ROWS_SHOWN = 10;
const LINES_SHOWN = 5;

/** `environment:[production, "qa 2"]` */
function oneOf(key: string, values: readonly string[]): readonly string[] {
  if (values.length === 0) return [];
  const quoted = values.map(quoteValue);
  return [quoted.length === 1 ? `${key}:${quoted[0]}` : `${key}:[${quoted.join(', ')}]`];
}
