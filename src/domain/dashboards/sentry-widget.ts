import type { Widget, WidgetQuery } from './dashboard.ts';
import {
  GRID_COLUMNS,
  WIDGET_HEIGHT_MAX,
  WIDGET_QUERIES_MAX,
  type WidgetDataset,
  type WidgetDisplay,
} from './widget-choices.ts';
import { isChart, queriesOf } from './widget-queries.ts';

/** A widget as Sentry's API and exports have it. Source: https://docs.sentry.io/api/dashboards/ */
export type SentryWidget = {
  id?: string | undefined;
  title: string;
  displayType: string;
  widgetType?: string | null | undefined;
  description?: string | null | undefined;
  limit?: number | null | undefined;
  queries: readonly SentryQuery[];
  layout?: SentryLayout | null | undefined;
};

export type SentryQuery = {
  name?: string | undefined;
  fields?: readonly string[] | null | undefined;
  aggregates?: readonly string[] | null | undefined;
  columns?: readonly string[] | null | undefined;
  conditions?: string | undefined;
  orderby?: string | null | undefined;
};

type SentryLayout = { x: number; y: number; w: number; h: number; minH?: number | undefined };

const DISPLAYS: Readonly<Record<string, WidgetDisplay>> = {
  line: 'line',
  area: 'line',
  top_n: 'line',
  stacked_area: 'bar',
  bar: 'bar',
  big_number: 'number',
  table: 'table',
  text: 'text',
};
const DISPLAY_TYPES: Readonly<Record<WidgetDisplay, string>> = {
  line: 'line',
  bar: 'bar',
  number: 'big_number',
  table: 'table',
  list: 'table',
  issues: 'table',
  text: 'text',
};
const TYPES: Readonly<Record<WidgetDataset, string>> = {
  errors: 'error-events',
  spans: 'spans',
  logs: 'logs',
  metrics: 'tracemetrics',
};
/** What a widget of issues has in place of a data set. */
const ISSUES = 'issue';
const DATASETS: Readonly<Record<string, WidgetDataset>> = {
  discover: 'errors',
  'error-events': 'errors',
  'transaction-like': 'spans',
  spans: 'spans',
  logs: 'logs',
  tracemetrics: 'metrics',
};

/** A widget of ours, or why there is none like it, in words that go behind the title of the widget. */
export function fromSentryWidget(widget: SentryWidget, id: string): Partial<Widget> | { problem: string } {
  const display = DISPLAYS[widget.displayType];
  if (!display) return { problem: `the display type "${widget.displayType}" is not supported` };
  const shape = { id, title: widget.title.slice(0, 100), ...sizeOf(widget.layout) };
  if (display === 'text') return { ...shape, display, text: widget.description ?? '' };
  const [query, ...others] = widget.queries;
  if (widget.widgetType === ISSUES && display === 'table' && query && others.length === 0) {
    const { conditions = '', orderby } = query;
    return {
      ...shape,
      display: 'issues',
      query: conditions,
      sort: orderby || null,
      limit: widget.limit ?? 10,
    };
  }
  const dataset = DATASETS[widget.widgetType ?? 'discover'];
  if (!dataset) return { problem: `the data set "${widget.widgetType}" is not supported` };
  if (!query) return { problem: 'it has no query' };
  const problem = problemOfSeveral(display, widget.queries);
  if (problem !== null) return { problem };
  const isOfTransactions = widget.widgetType === 'transaction-like';
  const { functions, columns } = countedBy(query);
  const isList = display === 'table' && functions.length === 0;
  return {
    ...shape,
    display: isList ? 'list' : display,
    dataset,
    ...readQuery(query, isOfTransactions),
    moreQueries: others.map((each) => readQuery(each, isOfTransactions)),
    functions: isList ? [] : [...functions],
    groupBy: isList ? [] : [...columns],
    fields: isList ? [...columns] : [],
    sort: query.orderby || null,
    limit: Math.max(1, widget.limit ?? (display === 'table' ? 10 : 5)),
  };
}

const countedBy = ({ aggregates, columns, fields }: SentryQuery) => ({
  functions: aggregates ?? (fields ?? []).filter(isFunction),
  columns: columns ?? (fields ?? []).filter((field) => !isFunction(field)),
});

const readQuery = ({ conditions = '', name = '' }: SentryQuery, isOfTransactions: boolean): WidgetQuery => ({
  query: isOfTransactions ? `is_transaction:true ${conditions}`.trim() : conditions,
  alias: name.slice(0, 100),
});

/** null for queries that one widget here can have: those of a chart that differ in what they search for and nothing else. */
function problemOfSeveral(display: WidgetDisplay, queries: readonly SentryQuery[]): string | null {
  if (queries.length === 1) return null;
  if (!isChart({ display })) {
    return 'it has several queries, which only lines and bars can have: split it into one widget for each';
  }
  if (queries.length > WIDGET_QUERIES_MAX) {
    return `it has ${queries.length} queries, and a chart can have ${WIDGET_QUERIES_MAX}: split it into several widgets`;
  }
  const counted = new Set(queries.map((query) => JSON.stringify(countedBy(query))));
  return counted.size === 1
    ? null
    : 'its queries have different functions or columns: split it into one widget for each';
}

const isFunction = (field: string): boolean => /^[a-z_0-9]+\(.*\)$/.test(field);

const sizeOf = (layout: SentryLayout | null | undefined): Pick<Widget, 'width' | 'height'> => ({
  width: Math.min(GRID_COLUMNS, Math.max(1, layout?.w ?? 3)),
  height: Math.min(WIDGET_HEIGHT_MAX, Math.max(1, layout?.h ?? 2)),
});

/** Widgets as Sentry has them, each at the place in the grid to which it flows. */
export function toSentryWidgets(
  widgets: readonly Widget[],
): (SentryWidget & { layout: Required<SentryLayout> })[] {
  let [x, y, rowHeight] = [0, 0, 0];
  return widgets.map((widget) => {
    const { id, title, display, dataset, functions, groupBy, fields, sort, limit, text, width, height } =
      widget;
    if (x + width > GRID_COLUMNS) [x, y, rowHeight] = [0, y + rowHeight, 0];
    const layout = { x, y, w: width, h: height, minH: 1 };
    [x, rowHeight] = [x + width, Math.max(rowHeight, height)];
    const columns = display === 'list' ? fields : groupBy;
    return {
      id,
      title,
      displayType: DISPLAY_TYPES[display],
      widgetType: display === 'issues' ? ISSUES : TYPES[dataset],
      description: display === 'text' ? text : null,
      limit: display === 'number' || display === 'text' ? null : limit,
      queries:
        display === 'text'
          ? []
          : queriesOf(widget).map(({ query, alias }) => ({
              name: alias,
              fields: [...columns, ...functions],
              aggregates: functions,
              columns,
              conditions: query,
              orderby: sort ?? '',
            })),
      layout,
    };
  });
}
