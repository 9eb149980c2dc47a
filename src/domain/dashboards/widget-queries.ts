import { ISSUE_SORTS, type IssueSort } from '#domain/issues/issue.ts';
import type { Widget, WidgetQuery } from './dashboard.ts';
import { LINES_MAX } from './widget-choices.ts';

export const isChart = ({ display }: Pick<Widget, 'display'>): boolean =>
  display === 'line' || display === 'bar';

/** The searches that a widget asks: several of a chart, one of everything else. */
export const queriesOf = (
  widget: Pick<Widget, 'display' | 'query' | 'alias' | 'moreQueries'>,
): readonly [WidgetQuery, ...WidgetQuery[]] => {
  const { query, alias, moreQueries } = widget;
  return [{ query, alias }, ...(isChart(widget) ? moreQueries : [])];
};

/** How many groups of each search are lines of a chart, so that all of them together fit. */
export const linesOfEach = (widget: Widget): number =>
  Math.max(1, Math.min(widget.limit, Math.floor(LINES_MAX / queriesOf(widget).length)));

/** The order of a widget of issues: those with the most events first, unless it says another one. */
export const issueSortOf = (sort: string | null): IssueSort =>
  ISSUE_SORTS.find((each) => each === sort) ?? 'freq';
