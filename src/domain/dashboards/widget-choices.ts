// What can be chosen for a widget, without what checks it: pages load this.

/**
 * How a widget shows its numbers. `number` is the first function over all rows; `list` has rows themselves; `issues` has the
 * issues that its search finds, and asks nothing else.
 */
export const WIDGET_DISPLAYS = ['line', 'bar', 'number', 'table', 'list', 'issues', 'text'] as const;
export type WidgetDisplay = (typeof WIDGET_DISPLAYS)[number];

export const WIDGET_DATASETS = ['errors', 'spans', 'logs', 'metrics'] as const;
export type WidgetDataset = (typeof WIDGET_DATASETS)[number];

/** Columns of the grid. */
export const GRID_COLUMNS = 6;
/** Rows of the grid that one widget takes. */
export const WIDGET_HEIGHT_MAX = 4;
export const WIDGETS_MAX = 30;
/** Fields that a reader may narrow all widgets by. */
export const VARIABLES_MAX = 5;
/** Lines of a chart. */
export const LINES_MAX = 10;
/** Searches of one chart. */
export const WIDGET_QUERIES_MAX = 5;
/** Rows of a table or list. */
export const WIDGET_ROWS_MAX = 50;
